// The policy: its document, its versions, and what a change would do before it is made.

import type { PolicyVersion } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { LeaveGuard } from '../../ui/leave.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { useTitle } from '../../ui/title.ts';
import { Conflict } from './conflict.tsx';
import { DocumentTab } from './document-tab.tsx';
import { hasUnsavedDraft, useCurrentPolicy, useDraft } from './draft.ts';
import { useLint } from './editor/lint.ts';
import { ExceptionsTab } from './exceptions-tab.tsx';
import './policy.css';
import { SaveDialog } from './save-dialog.tsx';
import { ShadowTab } from './shadow-tab.tsx';
import { SimulateTab } from './simulate-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

const PATH = '/policy';
const TABS = [
  { value: 'document', title: 'Document' },
  { value: 'versions', title: 'Versions' },
  { value: 'simulate', title: 'Simulate' },
  { value: 'shadow', title: 'Shadow' },
  { value: 'exceptions', title: 'Exceptions' },
] as const;

export function PolicyPage(): ReactNode {
  useTitle('Policy');
  const mayRead = useMay('policy:read');
  return (
    <>
      <div className="page-head">
        <div>
          <h1>Policy</h1>
          <p>What each detector looks at, and what happens to what it finds.</p>
        </div>
      </div>
      {mayRead ? (
        <Read />
      ) : (
        <p className="notice">
          This page needs the scope <code>policy:read</code>, which this session does not have.
        </p>
      )}
    </>
  );
}

function Read(): ReactNode {
  const current = useCurrentPolicy();
  if (current.isPending) return <Skeleton lines={10} />;
  if (current.data === undefined) return <Problem error={current.error} onRetry={() => current.refetch()} />;
  return (
    <>
      {current.error !== null && <Problem error={current.error} onRetry={() => current.refetch()} />}
      <Shown current={current.data} />
    </>
  );
}

function Shown({ current }: { readonly current: PolicyVersion }): ReactNode {
  const tab = useTab(TABS);
  const editing = useDraft(current);
  const { draft, isDirty } = editing;
  const lint = useLint(draft.text, draft.format);
  const [isSaving, setSaving] = useState(false);
  const [, navigate] = useLocation();
  const parts = { editing, lint, onSave: () => setSaving(true) };
  return (
    <>
      <Tabs label="Parts of the policy" tabs={TABS} current={tab} />
      {isDirty && tab !== 'document' && (
        <p className="notice warn row">
          <span className="grow">The document has changes that are not saved.</span>
          <Button isSmall onClick={() => navigate(PATH)}>
            Look at the document
          </Button>
        </p>
      )}
      <Conflict editing={editing} />
      {tab === 'document' && <DocumentTab {...parts} />}
      {tab === 'versions' && <VersionsTab current={current} />}
      {tab === 'simulate' && <SimulateTab {...parts} />}
      {tab === 'shadow' && <ShadowTab {...parts} />}
      {tab === 'exceptions' && <ExceptionsTab {...parts} />}
      {isSaving && <SaveDialog editing={editing} lint={lint} onClose={() => setSaving(false)} />}
      <LeaveGuard
        isDirty={isDirty}
        path={PATH}
        isUnsaved={hasUnsavedDraft}
        effect={<p>The changes to the policy’s document are not saved, and will be gone.</p>}
        onLeave={editing.discard}
      />
    </>
  );
}
