import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly isSmall?: boolean;
  /** It is at work: it cannot be pressed again, and says so to who does not see it. */
  readonly isBusy?: boolean;
}

export function Button({
  kind,
  isSmall = false,
  isBusy = false,
  className = '',
  type = 'button',
  disabled,
  ...rest
}: Props): ReactNode {
  const classes = ['button', kind, isSmall && 'small', className].filter(Boolean).join(' ');
  return <button {...rest} type={type} className={classes} disabled={disabled === true || isBusy} aria-busy={isBusy} />;
}
