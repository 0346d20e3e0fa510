/* Attributes of XML files that nobody knows, which are slips of the pen as a rule. */
#ifndef SINEW_IMPORT_ATTRIBUTES_H
#define SINEW_IMPORT_ATTRIBUTES_H

#include "import/xml.h"

/* Warns of every attribute that MJCF, or URDF, does not have in the element it stands in, once for each name and element, with
   its line. Attributes that the format has and the reader ignores are not worth a word. */
void sn__mjcf_warn_attributes(const struct sn__xml_node *root, const sn_load_def *options);
void sn__urdf_warn_attributes(const struct sn__xml_node *root, const sn_load_def *options);

#endif
