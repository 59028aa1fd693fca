import type { Response } from 'express';

interface PolicyTerms {
  readonly hasScript: boolean;
  readonly asksForPlace: boolean;
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

// What a page of ours never asks the browser for.
const NEVER = ['camera', 'microphone', 'payment', 'usb'];

/** Allows a page the scripts of this service, or the applicant's place, where it needs them. */
export function allow(response: Response, { hasScript, asksForPlace }: PolicyTerms): void {
  const script = hasScript ? ["script-src 'self'", "connect-src 'self'"] : [];
  response.setHeader('Content-Security-Policy', [...POLICY, ...script].join('; '));
  const place = asksForPlace ? 'geolocation=(self)' : 'geolocation=()';
  const policy = [place, ...NEVER.map((feature) => `${feature}=()`)].join(', ');
  response.setHeader('Permissions-Policy', policy);
}
