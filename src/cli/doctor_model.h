/* attn doctor FOLDER: what is wrong with a model's folder, and how to mend it. */
#ifndef ATTN_CLI_DOCTOR_MODEL_H
#define ATTN_CLI_DOCTOR_MODEL_H

struct findings;

void doctor_look_at_model(struct findings *findings, const char *folder);

#endif
