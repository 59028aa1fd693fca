import type { CreditEnquiry } from '../settings/index.js';

export type ConsentWay = 'HOSTED' | 'PARTNER';

interface PointOfWay {
  readonly only: ConsentWay;
  readonly text: string;
}

/** Generated lines replace `{lenderName}`, `{enquiries}` and `{kept}`. */
interface PartWording {
  readonly heading: string;
  /** May contain `{lenderList}` and `{keptGist}`. */
  readonly gist: string;
  readonly points: readonly (string | PointOfWay)[];
  readonly note: string;
}

export interface Wording {
  readonly parts: readonly PartWording[];
  readonly enquiries: {
    readonly known: string;
    /** Same enquiries before and after the choice. */
    readonly same: string;
    readonly unknown: string;
    readonly kinds: Readonly<Record<CreditEnquiry, string>>;
  };
  readonly kept: KeptWording;
  readonly keptGist: KeptWording;
  readonly agreement: string;
  /** Separate, never a condition. */
  readonly calls: string;
  readonly callsNote: string;
}

export interface KeptWording {
  readonly one: string;
  readonly other: string;
  readonly unknown: string;
}
