// By which policy, as the address has it: a link shows the same, without what is typed.

import { useSearchParams } from 'wouter';
import { useMay } from '../../session.tsx';
import type { Policies } from './policies.ts';

const POLICIES = ['in-force', 'shadow', 'edited'] as const;
export type PolicyName = (typeof POLICIES)[number];

export interface Choice {
  readonly policy: PolicyName;
  readonly isRecorded: boolean;
  readonly setPolicy: (policy: PolicyName) => void;
  readonly setRecorded: (isRecorded: boolean) => void;
}

export function useChoice({ shadow }: Policies): Choice {
  const [search, setSearch] = useSearchParams();
  const mayAssess = useMay('assess:create');
  const maySimulate = useMay('policy:read');
  const usual = mayAssess ? 'in-force' : 'edited';
  const named = POLICIES.find((name) => name === search.get('policy')) ?? usual;
  const isOpen = {
    'in-force': mayAssess,
    shadow: maySimulate && (!shadow.isKnown || shadow.policy !== null),
    edited: maySimulate,
  };
  const policy = isOpen[named] ? named : usual;
  const set = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === null) after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return {
    policy,
    // Only an assessment tells what the policy in force finds.
    isRecorded: mayAssess && (policy === 'in-force' || search.get('record') !== 'no'),
    setPolicy: (name) => set('policy', name === usual ? null : name),
    setRecorded: (isRecorded) => set('record', isRecorded ? null : 'no'),
  };
}
