import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { Keyring } from '../../platform/index.js';
import { rupeesText } from './chosen-amount.js';
import { offerPath } from '../offers/offer-paths.js';

/**
 * The addresses of statements that are not agreed to yet. A statement has the moment at which it was
 * drawn; the address carries that moment signed, so that nobody can have one drawn as of another.
 */
@Injectable()
export class DraftAddresses {
  constructor(private readonly keyring: Keyring) {}

  /**
   * The path of the page; the PDF is at the same with `.pdf`.
   * @param issuedAt ISO 8601
   */
  pathOf(offerId: string, amount: Paise, issuedAt: string): string {
    const milliseconds = String(Date.parse(issuedAt));
    const signed = this.keyring.signLink(milliseconds, purposeOf(offerId, amount));
    return `${offerPath(offerId)}/key-facts/${rupeesText(amount)}/${signed}`;
  }

  /** The moment in an address of ours for this offer and amount; null in any other. */
  issueTimeIn(offerId: string, amount: Paise, signed: string): Date | null {
    const milliseconds = this.keyring.readLink(signed, purposeOf(offerId, amount));
    return milliseconds === null ? null : new Date(Number(milliseconds));
  }
}

function purposeOf(offerId: string, amount: Paise): string {
  return `draft-key-facts/${offerId}/${amount}`;
}
