import type { PolicyShadow, PolicyVersion } from '@svc/client';
import { useMemo, type ReactNode } from 'react';
import { DiffView } from './diff-view.tsx';
import { write } from './editor/document.ts';

export function ShadowDifference({
  shadow,
  current,
}: {
  readonly shadow: PolicyShadow;
  readonly current: PolicyVersion;
}): ReactNode {
  const before = useMemo(() => write(current.policy, 'yaml'), [current]);
  const after = useMemo(() => write(shadow.policy, 'yaml'), [shadow.policy]);
  return (
    <DiffView
      label={`From version ${current.version} to the shadow`}
      before={before}
      after={after}
      same={`Not at all: it says the same as version ${current.version}.`}
    />
  );
}
