// By which policy, and whether it is recorded.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Time } from '../../ui/time.tsx';
import type { Choice, PolicyName } from './choice.ts';
import type { ShadowState } from './policies.ts';

/** As the API says. */
const SIMULATIONS_KEPT = 20;

interface Props extends Pick<Choice, 'policy' | 'setPolicy'> {
  /** `null`: not to be read by this session. */
  readonly version: number | null;
  readonly shadow: ShadowState;
}

export function DecideBy({ policy, version, shadow, setPolicy }: Props): ReactNode {
  const mayAssess = useMay('assess:create');
  const mayRead = useMay('policy:read');
  const option = (value: PolicyName, title: string, about: ReactNode, isOpen: boolean) => (
    <label className="check">
      <input
        type="radio"
        name="policy"
        value={value}
        checked={policy === value}
        disabled={!isOpen}
        onChange={() => setPolicy(value)}
      />
      <span>{title}</span>
      <small>{about}</small>
    </label>
  );
  return (
    <fieldset className="stack">
      <legend>Decide by</legend>
      {option(
        'in-force',
        version === null ? 'The policy in force' : `The policy in force, version ${version}`,
        mayAssess ? (
          'What your application would be answered, with every finding in its place.'
        ) : (
          <Missing scope="assess:create" />
        ),
        mayAssess,
      )}
      {option(
        'shadow',
        'The shadow',
        mayRead ? <AboutShadow shadow={shadow} /> : <Missing scope="policy:read" />,
        mayRead && shadow.policy !== null,
      )}
      {option(
        'edited',
        'An edited policy',
        mayRead ? 'What one that you are writing would decide. It is not stored.' : <Missing scope="policy:read" />,
        mayRead,
      )}
    </fieldset>
  );
}

/** Beside a simulation. */
export function AlsoInForce({
  isRecorded,
  onChange,
}: {
  readonly isRecorded: boolean;
  readonly onChange: (isRecorded: boolean) => void;
}): ReactNode {
  const mayAssess = useMay('assess:create');
  if (!mayAssess) return null;
  return (
    <label className="check">
      <input type="checkbox" checked={isRecorded} onChange={(event) => onChange(event.target.checked)} />
      <span>Assess it by the policy in force too</span>
      <small>Shows what is found, and where. Without it, only what would change.</small>
    </label>
  );
}

function Missing({ scope }: { readonly scope: string }): ReactNode {
  return (
    <>
      Needs the scope <code>{scope}</code>, which this session does not have.
    </>
  );
}

function AboutShadow({ shadow: { policy, expiresAt, isKnown } }: { readonly shadow: ShadowState }): ReactNode {
  if (!isKnown) return 'The candidate that decides a share of the traffic, without consequences.';
  if (policy === null)
    return (
      <>
        None runs. <Link href="/policy?tab=shadow">Start one with the policy</Link>.
      </>
    );
  return (
    <>
      The candidate that decides a share of the traffic, without consequences. It ends <Time at={expiresAt} />.
    </>
  );
}

/** What will come of it, before it is done. */
export function Consequence({
  isRecorded,
  isSimulated,
}: {
  readonly isRecorded: boolean;
  readonly isSimulated: boolean;
}): ReactNode {
  return (
    <>
      {isRecorded ? (
        <p className="notice warn">
          <strong>This is a real assessment.</strong> It becomes an event of the trail, for good, and webhooks and integrations
          hear of it. Its texts are kept only where the policy says so. It counts as one assessment
          {isSimulated && ', the simulation beside it as another'}.
        </p>
      ) : (
        <p className="notice">
          <strong>A simulation only.</strong> It counts as one assessment, and nothing is recorded: no event, no webhook. Judges
          are not asked.
        </p>
      )}
      {isSimulated && (
        <p className="muted">
          The service keeps an organization’s last {SIMULATIONS_KEPT} simulations. Each one here takes the place of the oldest.
        </p>
      )}
    </>
  );
}
