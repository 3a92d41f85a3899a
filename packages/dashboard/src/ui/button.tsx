import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react';
import { visible } from './name.tsx';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly isSmall?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
  /** It is at work: it cannot be pressed again, and says so to who does not see it. It keeps the focus, which a disabled one would lose. */
  readonly isBusy?: boolean;
}

export function Button({
  kind,
  isSmall = false,
  isBusy = false,
  className = '',
  type = 'button',
  onClick,
  'aria-label': label,
  ...rest
}: Props): ReactNode {
  const classes = ['button', kind, isSmall && 'small', className].filter(Boolean).join(' ');
  return (
    <button
      {...rest}
      type={type}
      className={classes}
      aria-label={label === undefined ? undefined : visible(label)}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? refuse : onClick}
    />
  );
}

/** Enter in a form presses its button too. */
function refuse(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
