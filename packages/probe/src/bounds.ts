// Bounds that settings and options share.

export const PROBE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
export const BUFFER_BYTES_MIN = 1_048_576;
