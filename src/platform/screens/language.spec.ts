import { describe, expect, it } from 'vitest';
import { scriptLanguage } from './language.js';

describe('the language of a text that a third party wrote', () => {
  it.each([
    ['2% a month of the overdue instalment', 'en'],
    ['बकाया किस्त पर हर महीने 2%', 'hi'],
    ['Navdhara Capital Limited को', 'hi'],
    ['₹1,00,000', null],
    ['', null],
  ])('follows from its script: %s', (text, language) => {
    expect(scriptLanguage(text)).toBe(language);
  });
});
