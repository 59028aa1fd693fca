const DEVANAGARI_ZERO = 0x966;

// Includes direction marks of copied numbers.
const BETWEEN_DIGITS = /[\s\p{Cf}().\-\u2010-\u2015\u2212]/gu;
const MOBILE = /^(?:(?:\+|0{1,2})?91)?0?([6-9]\d{9})$/;

const BETWEEN_WORDS = /[\s\p{Cf}]/gu;
/** A comma before paise; read as a thousands separator it would multiply the amount by 100. */
const OTHER_COMMA = /,(?!\d{3}(?!\d))[^,]*$/;
const RUPEES = '₹|rs\\.?|inr|rupees?|रु\\.?|रू\\.?|रुपये|रुपए|रुपया';
const AMOUNT = new RegExp(
  `^(?:${RUPEES}){0,2}(\\d{1,13}(?:\\.\\d{1,2})?)(?:${RUPEES}|only|मात्र|/[-=–—]?){0,3}$`,
  'i',
);

export function latinDigits(text: string): string {
  return text.replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - DEVANAGARI_ZERO));
}

/**
 * An Indian mobile's ten digits, from any usual form with +91, 0091, 091, 91 or 0; other text is
 * returned and fails validation.
 */
export function mobileOf(text: string): string {
  const plain = latinDigits(text).replaceAll(BETWEEN_DIGITS, '');
  return MOBILE.exec(plain)?.[1] ?? plain;
}

/** From `Rs. 60,000/-` and the like; other text is returned and fails validation. */
export function rupeesOf(text: string): number | string {
  const plain = latinDigits(text).replaceAll(BETWEEN_WORDS, '');
  if (OTHER_COMMA.test(plain)) return plain;
  const amount = AMOUNT.exec(plain.replaceAll(',', ''))?.[1];
  return amount === undefined ? plain : Number(amount);
}
