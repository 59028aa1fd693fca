import type { Language } from '../platform/index.js';
import { WORDING_4 } from './wording-4.js';
import type { WordingInParts } from './wording.js';

const { parts: PARTS_OF_4 } = WORDING_4.hi;
const TAKING_BACK = PARTS_OF_4[PARTS_OF_4.length - 1];

const HINDI: WordingInParts = {
  ...WORDING_4.hi,
  parts: [
    ...PARTS_OF_4.slice(0, -1),
    {
      ...TAKING_BACK,
      points: [
        {
          only: 'HOSTED',
          text: 'ऋणदाताओं से पूछने से पहले: पेज बंद कर दें। उसके बाद, हस्ताक्षर करने तक: “यह आवेदन रद्द करें” दबाएँ, जो हर पेज पर है। इसका कोई पैसा नहीं लगता।',
        },
        ...TAKING_BACK.points.slice(1),
      ],
    },
  ],
};

/** Version 5: in Hindi it names the link that stops an application by the word that stands on it. */
export const WORDING_5: Readonly<Record<Language, WordingInParts>> = {
  en: WORDING_4.en,
  hi: HINDI,
};
