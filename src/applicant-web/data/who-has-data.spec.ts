import { describe, expect, it } from 'vitest';
import type { Language } from '../../platform/index.js';
import { shownLender } from './who-has-data.js';

/** The last line of a lender: who contacts whoever does not pay. */
function recoveryLine(agent: string | null, language: Language): string | undefined {
  const lender = {
    name: 'Navdhara Capital Limited',
    phone: '1800 000 1400',
    recovery: { agent, operator: 'Rinpath' },
    firms: [],
  };
  return shownLender(lender, 'CHOSEN', language).lines.at(-1);
}

describe('the page of who has the data says of whoever contacts a borrower who does not pay', () => {
  it.each([
    ['en', 'with the details it needs from the lender'],
    ['hi', 'इसके लिए ज़रूरी जानकारी उसे ऋणदाता से मिलती है।'],
  ] as const)('that another company gets the details from the lender, in %s', (language, words) => {
    const line = recoveryLine('Vasooli Services Private Limited', language);
    expect(line).toContain('Vasooli Services Private Limited');
    expect(line).toContain(words);
  });

  it.each([
    ['en', 'we (Rinpath) may contact you. We have your application;'],
    ['hi', 'हम (Rinpath) आपसे संपर्क कर सकते हैं। आपका आवेदन हमारे पास है;'],
  ] as const)('that the operator has the application already, in %s', (language, words) => {
    expect(recoveryLine('Rinpath', language)).toContain(words);
  });

  it.each([
    ['en', 'it contacts you, or gives your details to an agent'],
    ['hi', 'यह ख़ुद संपर्क करता है, या किसी वसूली एजेंट को आपकी जानकारी देता है'],
  ] as const)(
    'that the lender does so itself where no agent is named, in %s',
    (language, words) => {
      expect(recoveryLine(null, language)).toContain(words);
    },
  );
});
