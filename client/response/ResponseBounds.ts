/*
 * What one response may cost at most, whatever a service or a proxy sends: memory, time, and how long it keeps everything else
 * waiting.
 */

const MIB = 1024 * 1024;

/** Of a body, in decoded bytes; of what is gathered from a stream, and of one event, in characters. */
export const LARGEST_RESPONSE = 16 * MIB;

export const TOO_LARGE = `is larger than ${LARGEST_RESPONSE / MIB} MiB`;

/**
 * A stream may have this many more bytes for each character gathered from it. An event takes some hundred bytes for a
 * few characters.
 */
export const MOST_BYTES_PER_CHARACTER = 1024;

/** How many gathered characters an object or a list counts as: about the memory that it takes. */
export const CONTAINER_SIZE = 64;

/** How many characters each field counts as that a stream adds to a record: records with very many fields are slow. */
export const FIELD_SIZE = 256;

/** In bytes. A person needs only the beginning of an error. */
export const LARGEST_ERROR_BODY = 100_000;

/** At a few thousand levels of JSON, recursive code overflows the stack. */
export const MOST_LEVELS = 1000;

/** An object or a list takes about 60 bytes of memory, but only 2 bytes of JSON. */
export const MOST_CONTAINERS = 1_000_000;

/** Of one event. Each is kept until the event is complete. */
export const MOST_LINES = 10_000;

/** How long a body is decoded, or a node's loop runs, before everything else gets a turn. */
export const LONGEST_STRETCH_MS = 50;

/** What is read after the result is complete, so that the connection can be used again: for how long, and how many bytes. */
export const LONGEST_REST_MS = 1000;
export const LARGEST_REST = 64 * 1024;
