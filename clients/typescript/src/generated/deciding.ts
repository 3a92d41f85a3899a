// Generated from api/openapi.json by scripts/clients: change that, not this.

/** Members without which an answer decides nothing, by its type; and the type of those that decide themselves. */
export const DECIDING: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  Assessment: {
    id: null,
    outcome: null,
  },
  Stream: {
    id: null,
    assessment: 'Assessment',
  },
  StreamChunkResult: {
    released: null,
    outcome: null,
  },
};
