// Check digits of cards, accounts and identity numbers. Inputs are compact: no separators, letters in upper case.

/** Value of the digit at `i` of `value`. */
export function digitAt(value: string, i: number): number {
  return value.charCodeAt(i) - 48;
}

/** Luhn (ISO/IEC 7812-1 annex B): cards, Canadian SIN, Swedish and South African numbers. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, twice = false; i >= 0; i--, twice = !twice) {
    const digit = digitAt(digits, i) * (twice ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Sum of the leading digits, each times its weight. */
export function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += digitAt(digits, i) * weights[i]!;
  return sum;
}

/** Remainder of a decimal number of any length. `modulus` below 2^28. */
export function remainder(digits: string, modulus: number): number {
  let rest = 0;
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digitAt(digits, i)) % modulus;
  return rest;
}

/** ISO 7064 mod 97-10 over letters and digits, the first four characters moved to the end, as IBANs use it (ISO 13616). */
export function ibanChecks(iban: string): boolean {
  let rest = 0;
  for (let i = 0; i < iban.length; i++) {
    const code = iban.charCodeAt((i + 4) % iban.length);
    rest = code < 58 ? (rest * 10 + code - 48) % 97 : (rest * 100 + code - 55) % 97;
  }
  return rest === 1;
}

/** ISO 7064 mod 11,10, the check digit last: German tax id, Croatian OIB. */
export function mod1110(digits: string): boolean {
  let product = 10;
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digitAt(digits, i) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1);
}

const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTED = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870', '4286573901', '2793806415', '7046913258'];

/** Verhoeff's scheme (dihedral group of order 10), the check digit last: Aadhaar. */
export function verhoeff(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digitAt(digits, digits.length - 1 - i);
    check = digitAt(DIHEDRAL[check]!, digitAt(PERMUTED[i % 8]!, digit));
  }
  return check === 0;
}

/** True when every character is the same: fillers such as 0000… pass many a checksum. */
export function isRepeated(value: string): boolean {
  for (let i = 1; i < value.length; i++) if (value[i] !== value[0]) return false;
  return true;
}

/** True for a day that exists. `year` in full; 0 stands for unknown and admits 29 February. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = year === 0 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0));
  return day <= (month === 2 && !isLeap ? 28 : DAYS[month - 1]!);
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
