import { rupeesToPaise } from '../../loans/index.js';
import type { LenderSection } from './lender-section.js';
import { remoteLenderOf } from './remote-section.js';
import { lenderTermsOf } from './lender-terms-of.js';
import { type ProductSection, textsOfProduct } from './product-section.js';
import { paymentOf } from './gateways-of.js';
import { englishOf, otherLanguagesOf } from './own-text.js';
import { sha256 } from '../../platform/index.js';
import type { Lender, LenderLogo, PaymentSettings, Product } from '../../settings/index.js';

export function productsOf(sections: readonly ProductSection[]): Product[] {
  return sections.map((product, position) => ({
    code: product.code,
    position,
    displayName: englishOf(product.displayName),
    texts: otherLanguagesOf(textsOfProduct({ path: '', section: product })),
    category: product.category,
    channel: product.channel,
    provider: product.provider,
    icon: product.icon,
    isEnabled: product.enabled ?? true,
    steps: product.steps ?? [],
    minimumAmount: rupeesToPaise(product.minimumAmount),
    maximumAmount: rupeesToPaise(product.maximumAmount),
    defaultAmount: rupeesToPaise(product.defaultAmount),
  }));
}

export function lenderLogosOf(sections: readonly LenderSection[]): LenderLogo[] {
  return sections.flatMap(({ code, logoImage }) =>
    logoImage
      ? [{ lenderCode: code, version: sha256(logoImage.bytes), bytes: logoImage.bytes }]
      : [],
  );
}

export interface LenderSecrets {
  /** Of its client certificate. */
  readonly clientKey: (lenderCode: string, privateKey: string) => string;
  /** For its fees. */
  readonly payment: (lenderCode: string, account: PaymentSettings) => string;
}

export function lendersOf(sections: readonly LenderSection[], seal: LenderSecrets): Lender[] {
  return sections.map((lender, position) => ({
    code: lender.code,
    position,
    name: lender.name,
    adapter: lender.adapter,
    isEnabled: lender.enabled ?? true,
    terms: lenderTermsOf(lender),
    kind: lender.kind ?? null,
    remote: lender.remote ? remoteLenderOf(lender.remote) : null,
    clientKeySealed: lender.remote?.tls
      ? seal.clientKey(lender.code, lender.remote.tls.privateKey)
      : null,
    paymentSealed: lender.payment ? seal.payment(lender.code, paymentOf(lender.payment)) : null,
  }));
}
