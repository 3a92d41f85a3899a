// Promises about what a client is answered with.

import { expect, test } from 'vitest';
import { acceptedType } from './media-type.ts';

const TYPES = ['application/json', 'text/html'] as const;

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/html'],
  ['text/html', 'text/html'],
  ['TEXT/HTML;charset=utf-8', 'text/html'],
  ['text/html, application/json', 'application/json'],
  ['text/html;q=0.9, application/json;q=0.8', 'text/html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['application/json;q=0, */*', 'text/html'],
  ['application/json; q=0.5 , text/html; Q=0.6', 'text/html'],
  ['image/png', null],
  ['image/png, application/jsonx', null],
  ['application/json;q=0', null],
  ['nonsense', null],
])('the header %j gets %s', (header, expected) => {
  expect(acceptedType(header, TYPES)).toBe(expected);
});
