#include <config.h>

#include "model/group.h"

#define FIELD(f) offsetof(struct st_group_cfg, f)

const struct st_param st_clients_params[] = {
    {.name = "count", .type = &st_param_count, .offset = FIELD(count), .min = 1, .max = 4e9, .help = "clients in the group"},
    {.name = NULL},
};

const struct st_param st_group_params[] = {
    {.name = "network", .type = &st_param_dist, .offset = FIELD(network), .dflt = "constant 0s",
        .help = "network delay, each way"},
    {.name = "clock_skew", .type = &st_param_dist, .offset = FIELD(clock_skew), .dflt = "0s",
        .help = "how far a client's clock is off, ahead or behind with equal odds; for hints that are dates"},
    {.name = "timeout", .type = &st_param_dist, .offset = FIELD(timeout), .dflt = "off", .word = "off", .min = 1e-9,
        .help = "how long a client waits for the answer to an attempt"},
    {.name = "deadline", .type = &st_param_time, .offset = FIELD(deadline), .dflt = "off", .word = "off", .min = 1e-9,
        .help = "how long an operation may take with all its attempts"},
    {.name = NULL},
};
