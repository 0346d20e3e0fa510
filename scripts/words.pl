#!/usr/bin/env perl
# Finds odd English in documents, comments and messages, and prints one line per finding: area, file:line, rule, text.
# check-words.sh calls it with the project's files on standard input and compares the counts with its budgets.
use strict;
use warnings;

my $longest_sentence = 40; # words
my $longest_line     = 130; # columns

my $thing = qr/step|second|minute|frame|sweep|iteration|sample|update|character|copy|body|lane|joint|member|row|contact|core|thread|line|file|scene|model|type|paper|seed|page|cell|axis|block|limb|value/;
my $unit  = qr/\d+|one|two|three|once|twice|steps?|times|seconds|milliseconds|microseconds|nanoseconds|samples|bytes|kB|MB|iterations|sweeps|instructions|words|lines|files?|numbers?|values?|calls?|rows?|struct|task|texts?|program|budget/;

# Each rule: its name, the pattern, and the sentence that --list explains it with.
my @rules = (
    ['shall',      qr/\bshall\b/i,                                    'say "must", "can" or "should"'],
    ['likewise',   qr/\blikewise\b/i,                                 'say "also" or "as well"'],
    ['so many',    qr/\bso (many|much) (as|of|lanes|steps|copies|threads|values)\b|\bnot to be had\b|\b(to|can) be had\b|\bcannot be had\b/i, 'say "that many", "available"'],
    ['let be',     qr/\b(let|lets|left|letting) be\b/i,               'say "leave" or "ignore"'],
    ['is no',      qr/(?<!there )(?<!There )\b(is|are|was|were|be) no (?!longer|more|less|other|different|better|worse|such|doubt|wider|larger|smaller|further|need|known)/, 'say "is not a"'],
    ['who',        qr/\b(of|to|by|from|for|with|than|beside|upon|and|or) whom?\b(?! (is|are|made|wrote|does|did) it)|(^|\. )Who (?![^.]*\?)/, 'name the person or thing'],
    ['per',        qr/\b$unit an? $thing\b/,                          'say "per" for a rate'],
    ['won',        qr/\b(won|wins?|winning)\b(?!\.h| = | \/)/i,                      'energy is gained, not won'],
    ['in touch',   qr/\bin touch\b/i,                                 'say "in contact"'],
    ['begin',      qr/\bthe begin\b|\banew\b/i, 'say "the beginning", "again", "restart"'],
    ['own',        qr/\b(an|the|by|of|with|has|have) own\b|\bof (his|her|its|their|one's) own ways?\b|\b(go|goes|went) (its|their) own way/i, 'say "its own" before the noun'],
    ['told',       qr/\b(is|are|and|was|were|be|not) told\b|\btells? (falls|where|when|how|what|whether)\b/i, 'say "reported" or "given"'],
    ['old words',  qr/\b(thereof|whence|hence|hitherto|thither|lest|whilst|amongst|nought|aught|ere|beheld|wherein|whereof|asunder|yonder|kin|at hand|in company|for want of|of late|but for|save for|as yet|in vain)\b/i, 'use an everyday word'],
    ['will not do', qr/\b(will|would|does|do) not do\b(?! (so|it|this|that|anything|much|well|the|any))|\bwould do\b(?! (so|it|this|that|the|in|as|if|with))/i, 'say what is wrong'],
    ['stands in',  qr/\b(stands?|stood|standing) (in|at|above|behind|beside|between|among) (the |its |a )?(code|file|files|table|list|header|top|equation|docs|document|section|comment|line|lines|memory|array|arrays|pack)\b/i, 'say "is in"'],
);
my @of_comments = (
    ['the same',   qr/^(The same|Of)\b/,                              'start a comment with what the code does'],
);

if (@ARGV && $ARGV[0] eq '--rules') {
    printf "%-14s %s\n", $_->[0], $_->[2] for @rules, @of_comments;
    printf "%-14s %s\n", 'sentence', "at most $longest_sentence words in a sentence";
    printf "%-14s %s\n", 'line', "at most $longest_line columns in a line, apart from tables of documents and code of scripts";
    exit;
}

my ($file, $area);

sub area_of {
    my ($name) = @_;
    return 'headers' if $name =~ m{^include/};
    return 'docs/learning' if $name =~ m{^docs/learning}; # the tutorial and its results
    return $name     if $name =~ m{^(README|CONTRIBUTING|CHANGELOG)\.md$} || $name eq 'docs/hello.md';
    return "$1/$2"   if $name =~ m{^(src)/([^/]+)/};
    return $1        if $name =~ m{^([^/]+)/};
    return 'top';
}

sub told {
    my ($where, $line, $rule, $text) = @_;
    $text =~ s/\s+/ /g;
    $text = substr($text, 0, 90) . '...' if length $text > 93;
    print join("\t", $where, "$file:$line", $rule, $text), "\n";
}

# One piece of prose: a paragraph, a comment or a message, as [line number, text] pairs.
sub judge {
    my ($where, $comment, @lines) = @_;
    return unless @lines;
    my (@at, $all);
    $all = '';
    for (@lines) {
        my ($number, $text) = @$_;
        $text =~ s/`[^`]*`/CODE/g;
        $text =~ s/\]\([^)]*\)/]/g;
        push @at, [length $all, $number];
        $all .= "$text ";
    }
    my $line_at = sub {
        my ($offset) = @_;
        my $number = $at[0][1];
        for (@at) { $number = $_->[1] if $_->[0] <= $offset }
        return $number;
    };
    for my $rule (@rules, $comment ? @of_comments : ()) {
        my $body = $all;
        while ($body =~ /$rule->[1]/g) {
            my $from = $-[0] > 25 ? $-[0] - 25 : 0;
            told($where, $line_at->($-[0]), $rule->[0], substr($body, $from, 75));
        }
    }
    my $offset = 0;
    for my $sentence (split /(?<=[.!?])["')\]*]*\s+(?=["'(\[*]*[A-Z`0-9])|\s\|\s|;\s|:\s/, $all) {
        my $words = () = $sentence =~ /[A-Za-z][A-Za-z'-]+/g;
        my $start = index $all, $sentence, $offset;
        $offset = $start + length $sentence if $start >= 0;
        told($where, $line_at->($start < 0 ? 0 : $start), 'sentence', "$words words: $sentence") if $words > $longest_sentence;
    }
}

sub document {
    my @paragraph;
    my $fenced = 0;
    my $flush = sub { judge($area, 0, @paragraph); @paragraph = () };
    while (my $text = <FILE>) {
        chomp $text;
        if ($text =~ /^\s*```/) { $fenced = !$fenced; $flush->(); next }
        next if $fenced;
        if ($text =~ /^    / && !@paragraph) { next } # a block of code
        told($area, $., 'line', $text) if length $text > $longest_line && $text !~ /^\||https?:\/\//;
        $flush->() if $text =~ /^\s*$|^#|^\||^\s*([-*]|\d+\.) /;
        if ($text =~ /^\|/) {
            judge($area, 0, [$., $_]) for split /\|/, $text;
            next;
        }
        push @paragraph, [$., $text] unless $text =~ /^\s*$/;
        $flush->() if $text =~ /^#/;
    }
    $flush->();
}

sub plain_comment { # of one block
    my @lines = @_;
    my (@piece, @pieces);
    for (@lines) {
        my ($number, $text) = @$_;
        $text =~ s{^\s*\*\s?}{};
        $text =~ s{(?<=\S)   +(?=\S)}{ | }g; # a column
        if ($text =~ /^\s*$/) { push @pieces, [@piece]; @piece = (); next }
        push @piece, [$number, $text];
    }
    push @pieces, [@piece];
    judge($area, 1, @$_) for @pieces;
}

sub c_source { # and JavaScript
    my (@comment, $inside, @slashes, @message);
    my $spoken = $area =~ m{^(src|cli|web)};
    my $say = sub { judge('messages', 0, @message) if $spoken && @message; @message = () };
    my $end = sub { plain_comment(@slashes) if @slashes; @slashes = () };
    while (my $text = <FILE>) {
        chomp $text;
        my $counts = $file =~ /\.m?js$/ ? $inside || $text =~ m{^\s*(//|/\*|\*)} : 1; # code of scripts may be long
        told($area, $., 'line', $text) if $counts && length $text > $longest_line && $text !~ /https?:\/\//;
        if ($inside) {
            if ($text =~ m{^(.*?)\*/(.*)$}) { push @comment, [$., $1]; plain_comment(@comment); @comment = (); $inside = 0; $text = $2 }
            else { push @comment, [$., $text]; next }
        }
        my $code = '';
        my $alone = 0;
        while ($text ne '') {
            if ($text =~ s{^("(?:[^"\\]|\\.)*")}{}) {
                my $said = substr $1, 1, -1;
                $said =~ s/\\n|  +/ | /g; # a line, or a column of a usage text
                $said =~ s/\\"/"/g;
                $said =~ s/%[-+ 0-9.*l]*[a-z]/X/g;
                push @message, [$., $said] if $said =~ /[a-z]{2,} [a-z]{2,}/i || @message;
            } elsif ($text =~ s{^'(?:[^'\\]|\\.)'}{}) {
            } elsif ($text =~ s{^/\*(.*?)\*/}{}) { plain_comment([$., $1]) }
            elsif ($text =~ s{^/\*(.*)$}{}) { @comment = ([$., $1]); $inside = 1 }
            elsif ($text =~ s{^//(.*)$}{}) { push @slashes, [$., $1]; $alone = 1 }
            else { $text =~ s{^([^"'/]+|.)}{}; $code .= $1 }
        }
        $end->() if @slashes && !($alone && $code =~ /^\s*$/);
        $say->() if $code =~ /\S/ && $code !~ /[,(]\s*$/ || $code =~ /[;{}]/;
    }
    $end->();
    $say->();
}

sub script { # comments that begin with #
    my @lines;
    my $end = sub { plain_comment(@lines) if @lines; @lines = () };
    while (my $text = <FILE>) {
        chomp $text;
        told($area, $., 'line', $text) if $text =~ /\s##? [A-Za-z]|^\s*#/ && length $text > $longest_line && $text !~ /https?:\/\//;
        if ($text =~ /^\s*#+ ?(.*)$/ && $text !~ /^#!/) { push @lines, [$., $1]; next }
        $end->();
        plain_comment([$., $1]) if $text =~ /\s##? ([A-Za-z].*)$/;
    }
    $end->();
}

while (my $name = <STDIN>) {
    chomp $name;
    next if $name =~ m{^(fuzz/corpus|web/prebuilt|completions|docs/(learning|training)/|policies/|scripts/words\.pl|LICENSE)};
    my $way = $name =~ /\.md$/ ? \&document
        : $name =~ /\.(c|h|cpp|js|mjs)$/ ? \&c_source
        : $name =~ /(\.(sh|cmake|py|yml|pl)|Makefile|CMakeLists\.txt|\.ci\/run)$/ ? \&script
        : next;
    ($file, $area) = ($name, area_of($name));
    open FILE, '<:encoding(UTF-8)', $name or die "$name: $!";
    $way->();
    close FILE;
}
