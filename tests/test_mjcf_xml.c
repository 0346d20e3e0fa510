/* The XML tree: what is forgiven, what is refused, and how fast. */
#include "text_helpers.h"

#include "import/xml.h"

#include <locale.h>
#include <stdlib.h>
#include <time.h>

static sn_error error;

static struct sn__xml *parse(const char *text) {
    return sn__xml_parse(text, strlen(text), "a.xml", &error);
}

static void assert_not_read(const char *text, size_t size, const char *reason) {
    struct sn__xml *xml = sn__xml_parse(text, size, "a.xml", &error);
    assert_null(xml);
    assert_true(error.status != SN_OK);
    if (!strstr(error.message, reason)) fail_msg("'%s' does not say '%s'", error.message, reason);
}

/* ---------------------------------------------------------------------------------------------- documents */

TEST(tree_has_names_attributes_lines_and_order) {
    struct sn__xml *xml = parse("<a>\n <b x='1'/>\n <c y='2' z='3'><d/></c>\n <b/></a>");
    assert_non_null(xml);
    const struct sn__xml_node *b = xml->root->child, *c = b->next;
    assert_string_equal(xml->root->name, "a");
    assert_null(xml->root->parent);
    assert_string_equal(b->name, "b");
    assert_int_equal(b->line, 2);
    assert_string_equal(sn__xml_string(b, "x"), "1");
    assert_null(sn__xml_string(b, "y"));
    assert_string_equal(c->attribute->name, "y");
    assert_string_equal(c->attribute->next->value, "3");
    assert_string_equal(c->child->name, "d");
    assert_ptr_equal(c->child->parent, c);
    assert_ptr_equal(sn__xml_child(xml->root, "c"), c);
    assert_ptr_equal(sn__xml_next(b, "b"), c->next);
    assert_null(sn__xml_child(xml->root, "e"));
    assert_string_equal(b->file, "a.xml");
    sn__xml_free(xml);
    sn__xml_free(NULL);
}

TEST(zeros_after_the_last_tag_are_forgiven) {
    struct sn__xml *xml = sn__xml_parse("<a/>\r\n\0\n\0", 9, "a.xml", &error);
    assert_non_null(xml);
    sn__xml_free(xml);
}

TEST(blanks_and_comments_before_the_declaration_are_forgiven_and_counted) {
    struct sn__xml *xml = parse("\n\n<!-- one\ntwo -->\n<?xml version='1.0'?>\n<a/>");
    assert_non_null(xml);
    assert_int_equal(xml->root->line, 6);
    sn__xml_free(xml);
    xml = parse("\xef\xbb\xbf<?xml version='1.0'?><a/>");
    assert_non_null(xml);
    sn__xml_free(xml);
}

TEST(latin_1_is_read) {
    struct sn__xml *xml = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe9'/>");
    assert_non_null(xml);
    assert_string_equal(sn__xml_string(xml->root, "b"), "\xc3\xa9");
    sn__xml_free(xml);
}

TEST(broken_documents_are_refused_with_file_and_line) {
    assert_not_read("<a>\n<b></a>", 11, "a.xml:2: mismatched tag");
    assert_not_read("", 0, "a.xml:1: ");
    assert_not_read("<a", 2, "a.xml:1: ");
    assert_not_read("<a/><b/>", 8, "junk after document element");
    assert_not_read("<a b='1' b='2'/>", 16, "duplicate attribute");
    assert_not_read("<a>\x80</a>", 8, "a.xml:1: ");
    assert_not_read("<a b='&c;'/>", 12, "undefined entity");
    assert_not_read("<a\0b/>", 6, "a.xml:1: ");
    const char *unknown = "<?xml version='1.0' encoding='EBCDIC-9'?><a/>";
    assert_not_read(unknown, strlen(unknown), "unknown encoding");
    assert_not_read("\xff\xfe<\0a\0/\0>\0", 10, "UTF-16");
}

/* -------------------------------------------------------------------------------------------------- bombs */

TEST(entities_are_refused) {
    const char *laughs = "<!DOCTYPE a [<!ENTITY l0 'ha'><!ENTITY l1 '&l0;&l0;&l0;&l0;&l0;&l0;&l0;&l0;'>"
                         "<!ENTITY l2 '&l1;&l1;&l1;&l1;&l1;&l1;&l1;&l1;'>]><a>&l2;</a>";
    assert_not_read(laughs, strlen(laughs), "entities");
    const char *outside = "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><a b='&e;'/>";
    assert_not_read(outside, strlen(outside), "entities");
    const char *attributes = "<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>";
    assert_not_read(attributes, strlen(attributes), "declarations");
    const char *elsewhere = "<!DOCTYPE a SYSTEM 'a.dtd'><a b='&e;'>&e;</a>";
    assert_not_read(elsewhere, strlen(elsewhere), "a.xml:1: ");
}

TEST(deep_nesting_is_refused_quickly) {
    double start = seconds();
    char *text = repeated("", "<a>", 5000000, "");
    assert_not_read(text, strlen(text), "a.xml:1: elements are nested too deeply");
    assert_int_equal(error.status, SN_ERROR_TOO_LARGE);
    assert_true(seconds() - start < 1);
    free(text);
}

TEST(too_many_nodes_are_refused_quickly) {
    double start = seconds();
    char *text = repeated("<a>", "<b/>", 4000000, "</a>");
    assert_not_read(text, strlen(text), "too many elements");
    free(text);
    text = repeated("<a>", "<b c='' d='' e=''/>", 1000000, "</a>");
    assert_not_read(text, strlen(text), "too many elements");
    free(text);
    assert_true(seconds() - start < 4);
}

TEST(too_large_a_document_is_refused) {
    char *text = repeated("<a>", "                                ", 3 << 20, "</a>");
    assert_not_read(text, strlen(text), "64 MiB");
    free(text);
}

TEST(a_number_of_a_megabyte_is_refused_quickly) {
    char *text = repeated("<a b='", "9", 1 << 20, "'/>");
    struct sn__xml *xml = parse(text);
    assert_non_null(xml);
    double value = 7, start = seconds();
    assert_int_equal(sn__xml_number(xml->root, "b", &value, &error), -1);
    assert_true(seconds() - start < 0.1);
    assert_string_equal(error.message, "a.xml:1: <a> attribute 'b': a number is longer than 255 bytes");
    sn__xml_free(xml);
    free(text);
}

/* ------------------------------------------------------------------------------------------------ getters */

static const char *told(const char *attribute, int least, int most) {
    char text[200];
    snprintf(text, sizeof text, "<a>\n<b c='%s'/></a>", attribute);
    struct sn__xml *xml = parse(text);
    assert_non_null(xml);
    double value[8];
    error.message[0] = '\0';
    int count = sn__xml_numbers(xml->root->child, "c", least, most, value, &error);
    if (count < 0) assert_int_equal(error.status, SN_ERROR_FORMAT);
    sn__xml_free(xml);
    const char *prefix = "a.xml:2: <b> attribute 'c': ";
    if (count >= 0) return "";
    assert_memory_equal(error.message, prefix, strlen(prefix));
    return error.message + strlen(prefix);
}

TEST(numbers_are_read_and_wrong_ones_told) {
    struct sn__xml *xml = parse("<a b=' 1\t-2.5\n3e2 ' c='0x10' d='.5' e='+4' f='1e-999'/>");
    assert_non_null(xml);
    double value[3] = {9, 9, 9}, expected[3] = {1, -2.5, 300};
    assert_int_equal(sn__xml_vector(xml->root, "b", 3, value, &error), 3);
    assert_near_n(value, expected, 3, 0);
    assert_int_equal(sn__xml_number(xml->root, "x", value, &error), 0);
    assert_near(value[0], 1, 0);
    assert_int_equal(sn__xml_number(xml->root, "d", value, &error), 1);
    assert_near(value[0], 0.5, 0);
    assert_int_equal(sn__xml_number(xml->root, "e", value, &error), 1);
    assert_int_equal(sn__xml_number(xml->root, "f", value, &error), 1);
    assert_near(value[0], 0, 0);
    sn__xml_free(xml);

    assert_string_equal(told("1 2", 2, 2), "");
    assert_string_equal(told("1 2", 3, 3), "has 2 numbers, needs 3");
    assert_string_equal(told("1", 2, 3), "has 1 number, needs at least 2");
    assert_string_equal(told("", 1, 3), "has 0 numbers, needs at least 1");
    assert_string_equal(told("1 2 3 4", 1, 3), "has more than 3 numbers");
    assert_string_equal(told("1 2", 1, 1), "has more than 1 number");
    assert_string_equal(told("1 zwei", 1, 3), "'zwei' is not a finite number");
    assert_string_equal(told("1,5", 1, 1), "'1,5' is not a finite number");
    assert_string_equal(told("0x10", 1, 1), "'0x10' is not a finite number");
    assert_string_equal(told("nan", 1, 1), "'nan' is not a finite number");
    assert_string_equal(told("inf", 1, 1), "'inf' is not a finite number");
    assert_string_equal(told("1e999", 1, 1), "'1e999' is not a finite number");
    assert_string_equal(told("1-2", 1, 2), "'1-2' is not a finite number");
    assert_string_equal(told("-", 1, 1), "'-' is not a finite number");
}

TEST(numbers_do_not_depend_on_the_locale) {
    static const char *const commas[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8", "de_DE"};
    for (int i = 0; i < COUNT(commas); i++)
        if (setlocale(LC_NUMERIC, commas[i])) break;
    const char *text = "0.5x";
    double value;
    assert_true(sn__xml_parse_number(&text, &value));
    assert_near(value, 0.5, 0);
    assert_string_equal(text, "x");
    setlocale(LC_NUMERIC, "C");
}

TEST(words_and_whole_numbers_are_read_and_wrong_ones_told) {
    static const char *const words[] = {"red", "green", NULL};
    struct sn__xml *xml = parse("<a b='true' c='0' d='yes' e='green' f='3' g='3.5' h='1e12'/>");
    assert_non_null(xml);
    bool flag = false;
    int number = 9;
    assert_int_equal(sn__xml_bool(xml->root, "b", &flag, &error), 1);
    assert_true(flag);
    assert_int_equal(sn__xml_bool(xml->root, "c", &flag, &error), 1);
    assert_false(flag);
    assert_int_equal(sn__xml_bool(xml->root, "x", &flag, &error), 0);
    assert_int_equal(sn__xml_bool(xml->root, "d", &flag, &error), -1);
    assert_string_equal(error.message, "a.xml:1: <a> attribute 'd': 'yes' is none of false, true, 0, 1");
    assert_int_equal(sn__xml_choice(xml->root, "e", words, &number, &error), 1);
    assert_int_equal(number, 1);
    assert_int_equal(sn__xml_choice(xml->root, "b", words, &number, &error), -1);
    assert_int_equal(sn__xml_integer(xml->root, "f", &number, &error), 1);
    assert_int_equal(number, 3);
    assert_int_equal(sn__xml_integer(xml->root, "g", &number, &error), -1);
    assert_string_equal(error.message, "a.xml:1: <a> attribute 'g': 3.5 is not a whole number");
    assert_int_equal(sn__xml_integer(xml->root, "h", &number, &error), -1);
    sn__xml_free(xml);
}

int main(void) {
    return run_all("mjcf xml");
}
