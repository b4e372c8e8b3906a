#ifndef PALFREY_VERSION_H
#define PALFREY_VERSION_H

#define PALFREY_VERSION "0.1.0"

/// Raised when a change makes the simulation take another course with the same input: recordings of another number are
/// refused. A test replays a recording of the sample and says when this is due; --replay OLD --record NEW makes it anew.
#define PALFREY_SIMULATION "1"

#define PALFREY_BUILD_ID "palfrey-" PALFREY_VERSION "-" PALFREY_SIMULATION

#endif
