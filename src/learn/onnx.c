/* Policies as ONNX files, so that other programs can run them.
 *
 * ONNX files are protocol buffers: fields with a number and a type, one after the other, messages as bytes inside messages.
 * The numbers of the fields below are those of onnx.proto (ModelProto, GraphProto, NodeProto, TensorProto, ...). */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/container.h"
#include "learn/policy.h"

enum { VARINT = 0, BYTES = 2 };              /* wire types */
enum { TYPE_FLOAT = 1 };                     /* TensorProto.DataType */
enum { IR_VERSION = 7, OPSET_VERSION = 13 }; /* of 2020: what every runtime since has */

static void put_varint(struct sn__text *out, uint64_t x) {
    do {
        const char byte = (char)((x & 0x7f) | (x > 0x7f ? 0x80 : 0));
        sn__text_bytes(out, &byte, 1);
        x >>= 7;
    } while (x);
}

static void put_number(struct sn__text *out, int field, int64_t x) {
    put_varint(out, (uint64_t)field << 3 | VARINT);
    put_varint(out, (uint64_t)x);
}

static void put_bytes(struct sn__text *out, int field, const char *bytes, int count) {
    put_varint(out, (uint64_t)field << 3 | BYTES);
    put_varint(out, (uint64_t)count);
    sn__text_bytes(out, bytes, count);
}

static void put_string(struct sn__text *out, int field, const char *string) {
    put_bytes(out, field, string, (int)strlen(string));
}

/* A message that was made in a text of its own, which is freed. */
static void put_message(struct sn__text *out, int field, struct sn__text *message) {
    if (message->failed) out->failed = true;
    put_bytes(out, field, message->data, message->length);
    sn__free(message->data);
    *message = (struct sn__text){0};
}

/* GraphProto.initializer (5), a TensorProto: dims 1, data_type 2, name 8, raw_data 9. No dimension: a scalar. */
static void put_tensor(struct sn__text *graph, const char *name, const float *data, int rows, int columns) {
    struct sn__text tensor = {0};
    if (rows) put_number(&tensor, 1, rows);
    if (columns) put_number(&tensor, 1, columns);
    put_number(&tensor, 2, TYPE_FLOAT);
    put_string(&tensor, 8, name);
    put_bytes(&tensor, 9, (const char *)data,
              (rows ? rows : 1) * (columns ? columns : 1) * (int)sizeof(float));
    put_message(graph, 5, &tensor);
}

/* GraphProto.node (1), a NodeProto: input 1, output 2, name 3, op_type 4. Inputs up to NULL. */
static void put_node(struct sn__text *graph, const char *type, const char *const *input, const char *output) {
    struct sn__text node = {0};
    for (; *input; input++)
        put_string(&node, 1, *input);
    put_string(&node, 2, output);
    put_string(&node, 3, output);
    put_string(&node, 4, type);
    put_message(graph, 1, &node);
}

/* GraphProto.input (11) and output (12), ValueInfoProto: name 1, type 2 = tensor_type 1 = {elem_type 1, shape 2 = dims 1,
   each with a value 1 or a name 2}. The first dimension is any number of rows. */
static void put_value(struct sn__text *graph, int field, const char *name, int width) {
    struct sn__text rows = {0}, columns = {0}, shape = {0}, tensor = {0}, type = {0}, value = {0};
    put_string(&rows, 2, "rows");
    put_number(&columns, 1, width);
    put_message(&shape, 1, &rows);
    put_message(&shape, 1, &columns);
    put_number(&tensor, 1, TYPE_FLOAT);
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_string(&value, 1, name);
    put_message(&value, 2, &type);
    put_message(graph, field, &value);
}

#define NODE(graph, type, output, ...) put_node(graph, type, (const char *const[]){__VA_ARGS__, NULL}, output)

/* y = f(x W + b). The last layer's output is the action. */
static void put_layer(struct sn__text *graph, const struct sn__policy *p, int l, char x[24]) {
    const bool last = l == p->net.layers - 1;
    const enum sn__activation f = last ? p->net.output : p->net.hidden;
    char weights[24], bias[24], sum[24] = "action", out[24] = "action";
    snprintf(weights, sizeof weights, "weights%d", l);
    snprintf(bias, sizeof bias, "bias%d", l);
    if (!last) snprintf(out, sizeof out, "layer%d", l);
    if (f == SN__LINEAR)
        memcpy(sum, out, sizeof sum);
    else
        snprintf(sum, sizeof sum, "sum%d", l);
    put_tensor(graph, weights, p->theta + p->net.weights[l], p->net.width[l], p->net.width[l + 1]);
    put_tensor(graph, bias, p->theta + p->net.bias[l], p->net.width[l + 1], 0);
    NODE(graph, "Gemm", sum, x, weights, bias);
    if (f != SN__LINEAR) NODE(graph, f == SN__RELU ? "Relu" : "Tanh", out, sum);
    memcpy(x, out, sizeof out);
}

static void put_graph(struct sn__text *model, const struct sn__policy *p) {
    const float low = -p->clip;
    const int n = p->net.width[0];
    struct sn__text graph = {0};
    char x[24] = "normal";
    put_string(&graph, 2, "policy");
    put_tensor(&graph, "shift", p->shift, n, 0);
    put_tensor(&graph, "scale", p->scale, n, 0);
    put_tensor(&graph, "low", &low, 0, 0);
    put_tensor(&graph, "high", &p->clip, 0, 0);
    NODE(&graph, "Sub", "centred", "observation", "shift");
    NODE(&graph, "Mul", "scaled", "centred", "scale");
    NODE(&graph, "Clip", "normal", "scaled", "low", "high");
    for (int l = 0; l < p->net.layers; l++)
        put_layer(&graph, p, l, x);
    put_value(&graph, 11, "observation", n);
    put_value(&graph, 12, "action", p->net.width[p->net.layers]);
    put_message(model, 7, &graph);
}

/* ModelProto.metadata_props (14): key 1, value 2. */
static void put_note(struct sn__text *model, const char *key, const char *value) {
    struct sn__text note = {0};
    put_string(&note, 1, key);
    put_string(&note, 2, value);
    put_message(model, 14, &note);
}

sn_status sn__policy_write_onnx(const struct sn__policy *p, const char *path, sn_error *error) {
    struct sn__text model = {0}, opset = {0};
    char hash[20];
    size_t size = 0;
    put_number(&model, 1, IR_VERSION);
    put_string(&model, 2, "sinew");
    put_string(&model, 3, sn_version());
    put_graph(&model, p);
    put_string(&opset, 1, ""); /* the standard operators */
    put_number(&opset, 2, OPSET_VERSION);
    put_message(&model, 8, &opset);
    put_note(&model, "model", p->model);
    put_note(&model, "features", p->features);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)p->model_hash);
    put_note(&model, "model_hash", hash);
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)p->features_hash);
    put_note(&model, "features_hash", hash);
    char *data = sn__text_take(&model, &size);
    if (!data) return sn__fail(error, SN_ERROR_MEMORY, "%s: out of memory", path);
    const sn_status status = sn__file_replace(path, data, size, error);
    sn__free(data);
    return status;
}
