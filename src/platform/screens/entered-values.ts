const DEVANAGARI_ZERO = 0x966;

// Blanks, dots, brackets, dashes, and the marks of direction that a copied number carries.
const BETWEEN_DIGITS = /[\s\p{Cf}().\-\u2010-\u2015\u2212]/gu;
const MOBILE = /^(?:(?:\+|0{1,2})?91)?0?([6-9]\d{9})$/;

const BETWEEN_WORDS = /[\s\p{Cf}]/gu;
/** A comma before paise; taken for one of thousands, the amount would be a hundred times as much. */
const OTHER_COMMA = /,(?!\d{3}(?!\d))[^,]*$/;
const RUPEES = '₹|rs\\.?|inr|rupees?|रु\\.?|रू\\.?|रुपये|रुपए|रुपया';
const AMOUNT = new RegExp(
  `^(?:${RUPEES}){0,2}(\\d{1,13}(?:\\.\\d{1,2})?)(?:${RUPEES}|only|मात्र|/[-=–—]?){0,3}$`,
  'i',
);

/** Devanagari digits as Latin ones. */
export function latinDigits(text: string): string {
  return text.replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - DEVANAGARI_ZERO));
}

/**
 * The ten digits of an Indian mobile number as people and phones write it: with +91, 0091, 091, 91 or
 * 0 before it, and brackets, blanks and dashes in it. Else the text, which no rule lets pass.
 */
export function mobileOf(text: string): string {
  const plain = latinDigits(text).replaceAll(BETWEEN_DIGITS, '');
  return MOBILE.exec(plain)?.[1] ?? plain;
}

/** The rupees in `Rs. 60,000/-` and the like. Else the text, which no rule for numbers lets pass. */
export function rupeesOf(text: string): number | string {
  const plain = latinDigits(text).replaceAll(BETWEEN_WORDS, '');
  if (OTHER_COMMA.test(plain)) return plain;
  const amount = AMOUNT.exec(plain.replaceAll(',', ''))?.[1];
  return amount === undefined ? plain : Number(amount);
}
