import type { CreditEnquiry } from '../settings/index.js';

/** By which way a consent is asked for: on our pages, or by a partner that shows our text. */
export type ConsentWay = 'HOSTED' | 'PARTNER';

/** A point that is asked on one way alone. */
export interface PointOfWay {
  readonly only: ConsentWay;
  readonly text: string;
}

/**
 * `{lenderName}` as a point stands for a point for each lender, `{enquiries}` for one for each way of asking, `{kept}`
 * for how long details are kept.
 */
export interface PartWording {
  readonly heading: string;
  /** What our page shows of a folded part. `{lenderList}`, `{keptGist}`. */
  readonly gist: string;
  readonly points: readonly (string | PointOfWay)[];
  readonly note: string;
}

/** A version of the consent in one language. */
export interface Wording {
  readonly parts: readonly PartWording[];
  /** How lenders ask for the credit report: where the configuration says so, and where it does not. */
  readonly enquiries: {
    readonly known: string;
    /** Of a lender that asks in the same way before and after the choice. */
    readonly same: string;
    readonly unknown: string;
    readonly kinds: Readonly<Record<CreditEnquiry, string>>;
  };
  /** For how many years details are kept at most, where the configuration says so, and where it does not. */
  readonly kept: KeptWording;
  readonly keptGist: KeptWording;
  readonly agreement: string;
  /** Beside the box for calls, which is never a condition: a consent of its own. */
  readonly calls: string;
  readonly callsNote: string;
}

export interface KeptWording {
  readonly one: string;
  readonly other: string;
  readonly unknown: string;
}
