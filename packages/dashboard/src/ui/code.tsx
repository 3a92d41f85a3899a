import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Copy } from './copy.tsx';

interface CodeProps {
  readonly text: string;
  /** What it is, for who does not see it. */
  readonly label: string;
  /** What is copied, where the text was made pretty. */
  readonly raw?: string;
}

/** Code that is read and copied. */
export function Code({ text, label, raw = text }: CodeProps): ReactNode {
  return (
    <div className="code-block">
      {/* What is longer than its box is scrolled by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="code-scroll" tabIndex={0} aria-label={label}>
        <pre className="code">{text}</pre>
      </section>
      <Copy text={raw} label={raw === text ? 'Copy' : 'Copy raw'} />
    </div>
  );
}

/** The same in several languages. */
export function Snippets({
  label,
  snippets,
}: {
  readonly label: string;
  readonly snippets: Readonly<Record<string, string>>;
}): ReactNode {
  const names = Object.keys(snippets);
  const [chosen, setChosen] = useState(names[0]!);
  return (
    <fieldset className="stack">
      <legend className="visually-hidden">{label}</legend>
      <div className="row">
        {names.map((name) => (
          <Button key={name} isSmall aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </Button>
        ))}
      </div>
      <Code text={snippets[chosen]!} label={`${label}, ${chosen}`} />
    </fieldset>
  );
}
