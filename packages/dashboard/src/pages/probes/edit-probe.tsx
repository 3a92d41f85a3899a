// The group of a probe, its other labels, and how often it is to be heard.

import type { Probe, UpdateProbe } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';

const LABELS_MAX = 20;
const CHARS_MAX = 100;
const INTERVAL_MIN_S = 10;
const INTERVAL_MAX_S = 3_600;

interface Label {
  readonly name: string;
  readonly value: string;
}

export function EditProbe({ probe, onClose }: { readonly probe: Probe; readonly onClose: () => void }): ReactNode {
  const [group, setGroup] = useState(probe.labels['group'] ?? '');
  const [others, setOthers] = useState<readonly Label[]>(othersOf(probe.labels));
  const [interval, setInterval] = useState(String(probe.expected_interval_s));
  const labels = labelsOf(group, others);
  const areLabelsChanged =
    JSON.stringify(labels) !== JSON.stringify(labelsOf(probe.labels['group'] ?? '', othersOf(probe.labels)));
  const save = useAction(async () => {
    const change: UpdateProbe = {
      ...(areLabelsChanged ? { labels } : {}),
      ...(interval === String(probe.expected_interval_s)
        ? {}
        : { expected_interval_s: interval.trim() === '' ? null : Number(interval) }),
    };
    await svc.probes.update(probe.id, change);
    await queryClient.invalidateQueries({ queryKey: ['probes'] });
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  return (
    <Dialog title={`Edit ${probe.id}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>Group</span>
          <input
            className="input"
            maxLength={CHARS_MAX}
            autoComplete="off"
            placeholder="default"
            value={group}
            onChange={(event) => setGroup(event.target.value)}
          />
          <small>Probes of one group are looked at together for drift. Another group learns what is usual anew.</small>
        </label>
        <OtherLabels labels={others} onChange={setOthers} />
        {areLabelsChanged && (
          <p className="notice warn">
            All labels of this form are then set by hand and stand over what the probe says itself. Take one out to leave it to
            the probe.
          </p>
        )}
        <label className="field">
          <span>Expected every … seconds</span>
          <input
            className="input"
            type="number"
            min={INTERVAL_MIN_S}
            max={INTERVAL_MAX_S}
            placeholder="30"
            value={interval}
            onChange={(event) => setInterval(event.target.value)}
          />
          <small>
            How often it is to be heard: {INTERVAL_MIN_S} to {INTERVAL_MAX_S.toLocaleString('en')}. Silent for three times that,
            it is offline. Empty: the usual 30.
          </small>
        </label>
        {save.error !== null && <Problem error={save.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface OtherLabelsProps {
  readonly labels: readonly Label[];
  readonly onChange: (labels: readonly Label[]) => void;
}

function OtherLabels({ labels, onChange }: OtherLabelsProps): ReactNode {
  const change = (index: number, part: Partial<Label>) =>
    onChange(labels.map((label, i) => (i === index ? { ...label, ...part } : label)));
  return (
    <fieldset className="stack">
      <legend>Other labels</legend>
      {labels.map((label, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- names change while they are typed
        <div key={i} className="pair">
          <input
            className="input"
            aria-label={`Name of label ${i + 1}`}
            required
            maxLength={CHARS_MAX}
            value={label.name}
            onChange={(event) => change(i, { name: event.target.value })}
          />
          <input
            className="input"
            aria-label={`Value of label ${i + 1}`}
            maxLength={CHARS_MAX}
            value={label.value}
            onChange={(event) => change(i, { value: event.target.value })}
          />
          <Button kind="quiet" isSmall aria-label={`Take out label ${i + 1}`} onClick={() => onChange(labels.toSpliced(i, 1))}>
            Take out
          </Button>
        </div>
      ))}
      {labels.length < LABELS_MAX - 1 && (
        <div>
          <Button isSmall onClick={() => onChange([...labels, { name: '', value: '' }])}>
            Add a label
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function othersOf(labels: Probe['labels']): Label[] {
  return Object.entries(labels)
    .filter(([name]) => name !== 'group')
    .map(([name, value]) => ({ name, value }));
}

function labelsOf(group: string, others: readonly Label[]): Record<string, string> {
  const named = others.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value] as const);
  return { ...(group.trim() === '' ? {} : { group: group.trim() }), ...Object.fromEntries(named) };
}
