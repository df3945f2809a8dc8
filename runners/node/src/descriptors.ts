// The numbers by which the host and the runner know their ways to each other.

export const MESSAGES_FROM_HOST = 3
export const MESSAGES_TO_HOST = 4
/** Status of a process that was sent something else than the protocol says. */
export const PROTOCOL_BROKEN = 70
