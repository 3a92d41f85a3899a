// An editor of policies with lint marks and completion. It is loaded when it is first shown.

import { lazy, Suspense, type ReactNode, type Ref } from 'react';
import { Skeleton } from '../../../ui/empty.tsx';
import type { Format, Mark } from './document.ts';

export interface EditorHandle {
  /** Selects a part of the text (UTF-16 offsets), and goes there. */
  readonly goTo: (from: number, to: number) => void;
}

export interface EditorProps {
  readonly text: string;
  readonly format: Format;
  /** What it is, for who does not see it. */
  readonly label: string;
  /** What is shown while nothing is written. */
  readonly hint?: string;
  readonly marks?: readonly Mark[];
  readonly isReadOnly?: boolean;
  readonly onChange?: (text: string) => void;
  /** Ctrl or Command with S. */
  readonly onSave?: () => void;
  readonly ref?: Ref<EditorHandle>;
}

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }));

export function PolicyEditor(props: EditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton lines={12} />}>
      <CodeEditor {...props} />
    </Suspense>
  );
}
