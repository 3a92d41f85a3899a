import type { ReactNode } from 'react';

export type Tone = 'allowed' | 'flagged' | 'blocked' | 'good' | 'warn' | 'bad' | 'plain';

const SIGNS: Readonly<Record<Tone, string>> = {
  allowed: '✓',
  good: '✓',
  flagged: '⚑',
  warn: '!',
  blocked: '✕',
  bad: '✕',
  plain: '',
};

/** A word with a colour and a sign: never by colour alone. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }): ReactNode {
  return (
    <span className={`badge ${tone}`}>
      {SIGNS[tone] !== '' && <span aria-hidden="true">{SIGNS[tone]}</span>}
      {children}
    </span>
  );
}

/** Of an outcome, also one that this page does not know. */
export function Outcome({ outcome }: { readonly outcome: string }): ReactNode {
  const tone = outcome === 'allowed' || outcome === 'flagged' || outcome === 'blocked' ? outcome : 'plain';
  return <Badge tone={tone}>{outcome}</Badge>;
}
