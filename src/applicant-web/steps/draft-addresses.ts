import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { Keyring } from '../../platform/index.js';
import { offerPath, rupeesText } from './chosen-amount.js';

/**
 * Addresses of statements not agreed to yet. The issue time is signed, so that no other can be
 * requested.
 */
@Injectable()
export class DraftAddresses {
  constructor(private readonly keyring: Keyring) {}

  /**
   * The page's path; `.pdf` is appended for the PDF.
   * @param issuedAt ISO 8601
   */
  pathOf(offerId: string, amount: Paise, issuedAt: string): string {
    const milliseconds = String(Date.parse(issuedAt));
    const signed = this.keyring.signLink(milliseconds, purposeOf(offerId, amount));
    return `${offerPath(offerId)}/key-facts/${rupeesText(amount)}/${signed}`;
  }

  /** Null for a forged address, or one of another offer or amount. */
  issueTimeIn(offerId: string, amount: Paise, signed: string): Date | null {
    const milliseconds = this.keyring.readLink(signed, purposeOf(offerId, amount));
    return milliseconds === null ? null : new Date(Number(milliseconds));
  }
}

function purposeOf(offerId: string, amount: Paise): string {
  return `draft-key-facts/${offerId}/${amount}`;
}
