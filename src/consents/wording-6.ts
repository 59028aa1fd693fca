import type { Language } from '../platform/index.js';
import { WORDING_5 } from './wording-5.js';
import type { PartWording, WordingInParts } from './wording.js';

/** What version 6 says in other words than version 5. */
interface Changes extends Required<Pick<WordingInParts, 'kept' | 'calls'>> {
  /** What for, and how long. */
  readonly purpose: Pick<PartWording, 'points' | 'note'>;
  /** Where an application is stopped on our pages. */
  readonly stopping: string;
}

function changed(
  { parts, ...same }: WordingInParts,
  { purpose, stopping, ...others }: Changes,
): WordingInParts {
  const [lenders, credit, before, takingBack] = parts;
  const points = [{ only: 'HOSTED', text: stopping } as const, ...takingBack.points.slice(1)];
  return {
    ...same,
    ...others,
    parts: [lenders, credit, { ...before, ...purpose }, { ...takingBack, points }],
  };
}

const ENGLISH = changed(WORDING_5.en, {
  purpose: {
    points: [
      'Your details are used for this application only; you get SMS and e-mail about it, too.',
      { only: 'HOSTED', text: '{kept}' },
      { only: 'PARTNER', text: 'Your details are kept for as long as the law requires.' },
    ],
    note: 'When you ask us, we delete what the law does not require, and ask the lenders to do the same. That you have agreed stays on record, without your name.',
  },
  stopping:
    'Before we ask the lenders: close the page. After that, until you sign: press “Stop this application” at the end of the page of the step that you are at. It costs no money; only a branch that has valued your gold may ask for some.',
  kept: {
    one: 'Your details are kept for as long as the law requires: at most {years} year after your application or your loan has ended.',
    other:
      'Your details are kept for as long as the law requires: at most {years} years after your application or your loan has ended.',
    unknown: 'Your details are kept for as long as the law requires.',
  },
  calls:
    'I may also be phoned about this loan, by {brandName} and by the lender that I choose. I can leave this box empty: my offers are the same. I can take this back by itself at any time, by telling {brandName} ({supportPhone}, {supportEmail}) and the lender: my application goes on.',
});

const HINDI = changed(WORDING_5.hi, {
  purpose: {
    points: [
      'आपकी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होती है; इसके बारे में आपको SMS और ई-मेल भी मिलते हैं।',
      { only: 'HOSTED', text: '{kept}' },
      {
        only: 'PARTNER',
        text: 'आपकी जानकारी उतने ही समय तक रखी जाती है जितना क़ानून कहता है।',
      },
    ],
    note: 'आपके कहने पर हम वह सब मिटा देते हैं जो क़ानून के लिए ज़रूरी नहीं, और ऋणदाताओं से भी यही करने को कहते हैं। आप सहमत हुए थे, यह बात आपके नाम के बिना दर्ज रहती है।',
  },
  stopping:
    'ऋणदाताओं से पूछने से पहले: पेज बंद कर दें। उसके बाद, हस्ताक्षर करने तक: आप जिस चरण पर हों, उसके पेज के आख़िर में “यह आवेदन रद्द करें” दबाएँ। इसका कोई पैसा नहीं लगता; सिर्फ़ वह शाखा कुछ माँग सकती है जिसने आपके सोने की क़ीमत लगाई हो।',
  kept: {
    one: 'आपकी जानकारी उतने ही समय तक रखी जाती है जितना क़ानून कहता है: आवेदन या लोन ख़त्म होने के बाद ज़्यादा से ज़्यादा {years} साल तक।',
    other:
      'आपकी जानकारी उतने ही समय तक रखी जाती है जितना क़ानून कहता है: आवेदन या लोन ख़त्म होने के बाद ज़्यादा से ज़्यादा {years} साल तक।',
    unknown: 'आपकी जानकारी उतने ही समय तक रखी जाती है जितना क़ानून कहता है।',
  },
  calls:
    '{brandName} और मेरा चुना हुआ ऋणदाता इस लोन के बारे में मुझे फ़ोन भी कर सकते हैं। यह बॉक्स ख़ाली भी छोड़ सकते हैं: ऑफ़र वही मिलेंगे। यह अनुमति अलग से कभी भी वापस ली जा सकती है: {brandName} ({supportPhone}, {supportEmail}) और ऋणदाता को बताएँ, आवेदन चलता रहेगा।',
});

/**
 * Version 6: it says for how long details are kept at most, where the link stands that stops an application, what
 * that can cost, and how calls alone are taken back.
 */
export const WORDING_6: Readonly<Record<Language, WordingInParts>> = { en: ENGLISH, hi: HINDI };
