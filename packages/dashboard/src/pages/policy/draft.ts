// The policy that is being edited. It is kept in memory while one is signed in, so that another tab or page loses nothing of it.

import type { PolicyVersion } from '@svc/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState, useLayoutEffect } from 'react';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { convert, write, type Format } from './editor/document.ts';
import { edit } from './editor/edit.ts';

interface Draft {
  readonly format: Format;
  readonly text: string;
  /** The text that stands for `base`: as it was read, or as it was saved, with its comments. */
  readonly cleanText: string;
  /** The version that was in force when editing began. */
  readonly base: PolicyVersion;
  /** What others stored meanwhile and this does not hold yet. */
  readonly merging: { readonly from: PolicyVersion; readonly to: PolicyVersion } | null;
}

const CURRENT = ['policy', 'current'];
const DRAFT = ['policy-draft'];
queryClient.setQueryDefaults(DRAFT, { gcTime: Infinity });

export interface Editing {
  readonly draft: Draft;
  /** The version in force, as far as is known. */
  readonly current: PolicyVersion;
  readonly isDirty: boolean;
  /** Another version was stored since editing began. */
  readonly isBehind: boolean;
  readonly setText: (text: string) => void;
  /** Sets a member, or takes it out (`undefined`). `false`: that has to be done in the text. It stays the same function. */
  readonly setMember: (path: readonly (string | number)[], value: unknown) => boolean;
  /** Also what was set since this was drawn. */
  readonly textNow: () => string;
  /** `false`: the text cannot be read. */
  readonly setFormat: (format: Format) => boolean;
  readonly discard: () => void;
  /** Goes on from the version in force, with the text as it is. */
  readonly rebase: () => void;
  readonly endMerge: () => void;
  /** Takes the text as the one of `saved`. */
  readonly saved: (saved: PolicyVersion) => void;
}

/** Reads the version in force, again and again: others may store one. */
export function useCurrentPolicy(): UseQueryResult<PolicyVersion> {
  return useQuery({ queryKey: CURRENT, queryFn: ({ signal }) => svc.policy.get({ signal }), refetchInterval: LIVE_INTERVAL_MS });
}

/** Another version is in force, as an answer says. */
export async function tookForce(version: PolicyVersion): Promise<void> {
  await queryClient.cancelQueries({ queryKey: CURRENT });
  queryClient.setQueryData(CURRENT, version);
  await queryClient.invalidateQueries({ queryKey: ['policy'], predicate: ({ queryKey }) => queryKey[1] !== 'lint' });
}

export function readAnew(): Promise<void> {
  return queryClient.refetchQueries({ queryKey: CURRENT });
}

export function useDraft(current: PolicyVersion): Editing {
  const [kept, setKept] = useState<Draft | null>(() => queryClient.getQueryData<Draft>(DRAFT) ?? null);
  const change = (draft: Draft | null) => {
    if (draft === null) queryClient.removeQueries({ queryKey: DRAFT });
    else queryClient.setQueryData(DRAFT, draft);
    setKept(draft);
  };
  const format = kept?.format ?? 'yaml';
  const clean = useMemo(() => cleanDraft(current, format), [current, format]);
  const draft = kept !== null && isHeld(kept, current) ? kept : clean;
  const now = useRef({ draft, change });
  useLayoutEffect(() => {
    now.current = { draft, change };
  });
  const setMember = useCallback((path: readonly (string | number)[], value: unknown) => {
    const before = now.current.draft;
    const text = edit(before.text, before.format, path, value);
    if (text !== null) {
      const after = { ...before, text };
      now.current.change(after);
      now.current = { ...now.current, draft: after };
    }
    return text !== null;
  }, []);
  const textNow = useCallback(() => now.current.draft.text, []);
  return {
    draft,
    current,
    isDirty: isDirty(draft),
    isBehind: draft.base.version < current.version,
    // A mark of byte order before a text that was pasted says nothing.
    setText: (text) => change({ ...draft, text: text.replace(/^\uFEFF/, '') }),
    setMember,
    textNow,
    setFormat: (format) => {
      const text = isDirty(draft) ? convert(draft.text, draft.format, format) : write(draft.base.policy, format);
      if (text !== null) change({ ...draft, format, text, cleanText: write(draft.base.policy, format) });
      return text !== null;
    },
    discard: () => change(cleanDraft(current, draft.format)),
    rebase: () =>
      change({
        ...draft,
        base: current,
        cleanText: write(current.policy, draft.format),
        merging: { from: draft.merging?.from ?? draft.base, to: current },
      }),
    endMerge: () => change({ ...draft, merging: null }),
    saved: (base) => change({ ...draft, base, cleanText: draft.text, merging: null }),
  };
}

function isDirty({ text, cleanText }: Draft): boolean {
  return text !== cleanText;
}

/** Something is written that no version holds. */
export function hasUnsavedDraft(): boolean {
  const draft = queryClient.getQueryData<Draft>(DRAFT);
  return draft !== undefined && isDirty(draft);
}

/** What was not touched follows the version in force, unless comments would go with it. */
function isHeld(kept: Draft, current: PolicyVersion): boolean {
  return isDirty(kept) || kept.base.version >= current.version || hasComments(kept);
}

/** The service stores none: they are nowhere but here. */
export function hasComments({ text, format }: Pick<Draft, 'text' | 'format'>): boolean {
  return format === 'yaml' && /(?:^|\s)#/.test(text);
}

function cleanDraft(base: PolicyVersion, format: Format): Draft {
  const text = write(base.policy, format);
  return { format, text, cleanText: text, base, merging: null };
}

/** What `If-Match` takes. */
export function tagOf({ digest }: Pick<PolicyVersion, 'digest'>): string {
  return `"${digest}"`;
}
