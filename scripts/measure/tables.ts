// Tables in Markdown.

/** A table whose first column is text and whose others are figures. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** A figure of 0–1 with three decimals; a dash where it is not defined. */
export function decimal(figure: number | null): string {
  return figure === null ? '–' : figure.toFixed(3);
}

/** A share with one decimal, or as many as given; a dash where it is not defined. */
export function percent(share: number | null, decimals = 1): string {
  return share === null ? '–' : `${(share * 100).toFixed(decimals)} %`;
}
