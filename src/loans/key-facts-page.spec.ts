import { readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import { keyFactsExample } from './key-facts-example.js';
import type { KeyFactsInput } from './key-facts-input.js';
import { keyFactsPage } from './key-facts-page.js';
import { keyFactsStatement } from './key-facts-statement.js';

const source = readFileSync(
  new URL('../../views/key-facts-statement.hbs', import.meta.url),
  'utf8',
);
// Strict mode makes a name that the view does not have an error instead of a hole in the page.
const template = Handlebars.compile(source, { strict: true });

function view(change: Partial<KeyFactsInput> = {}) {
  return keyFactsPage(keyFactsStatement(keyFactsExample(change)), { brandDisplayName: 'Rinpath' });
}

function page(change: Partial<KeyFactsInput> = {}): string {
  return template(view(change));
}

describe('keyFactsPage', () => {
  it('formats money, percentages and India’s dates', () => {
    expect(view()).toMatchObject({
      // 19:00 UTC on the 20th is already the 21st in India.
      issuedOn: '21 November 2026',
      validUntil: '26 November 2026',
      validUntilTime: '6:30 pm IST',
      annualPercentageRate: '17.07%',
      totalFees: '₹400',
      closingBalance: '₹0',
    });
    expect(view().summary.map((row) => row.value)).toEqual([
      '₹20,000',
      '₹19,600',
      '₹970 a month for 24 months',
      '17.07%',
    ]);
  });

  it('says how a fee comes about', () => {
    expect(view().feesPayableToLender[0].note).toBe('1% of the loan amount; includes ₹37 GST');
    expect(view().feesPayableToThirdParties[0].note).toBe('');
  });

  it('names both lenders, their shares and the blended rate of collaborative lending', () => {
    const rows = view({
      collaborativeLending: {
        originatingLender: { name: 'One NBFC', sharePercent: 20 },
        partnerLender: { name: 'Two Bank', sharePercent: 80 },
        blendedRatePercent: 15,
      },
    }).part2.map((row) => row.value);
    expect(rows.slice(-3)).toEqual(['One NBFC, 20%', 'Two Bank, 80%', '15% a year']);
  });

  it('tells midnight from noon', () => {
    expect(view({ validUntil: '2026-11-30T18:30:00Z' })).toMatchObject({
      validUntil: '1 December 2026',
      validUntilTime: '12:00 am IST',
    });
    expect(view({ validUntil: '2026-11-30T06:30:00Z' }).validUntilTime).toBe('12:00 pm IST');
  });
});

describe('the page of a Key Facts Statement', () => {
  it('shows every part with its validity', () => {
    const html = page();
    for (const text of [
      'Valid until <strong>26 November 2026</strong>, 6:30 pm IST',
      'Part 1: interest rate',
      'Part 2: other information',
      'Annex B: computation of the APR',
      'Annex C: repayment schedule',
      'Penal charge',
      'tel:+918000000000',
      'mailto:grievance@lender.example',
    ]) {
      // Handlebars escapes '=' and such in values, which these texts do not hold, except '+'.
      expect(html.replaceAll('&#x2B;', '+')).toContain(text);
    }
    expect(html.match(/<tr><th scope="row">\d+<\/th>/g)).toHaveLength(24);
  });

  it('has no script, no inline style and asks no other host for anything', () => {
    const html = page();
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\//i);
    expect(html.match(/(?:href|src)="(?!#|tel:|mailto:)[^"]*"/g)).toEqual([
      'href="/assets/document.css"',
    ]);
  });

  it('gives every table a caption and every header cell a scope', () => {
    const html = page();
    expect(html.match(/<caption/g)).toHaveLength(html.match(/<table/g)?.length ?? 0);
    expect(html).not.toMatch(/<th(?![^>]*scope=)[\s>]/);
    const ids = [...html.matchAll(/aria-labelledby="([^"]+)"/g)].map((match) => match[1]);
    for (const id of ids) {
      expect(html).toContain(`id="${id}"`);
    }
  });

  it('shows the gold only when there is any', () => {
    expect(page()).not.toContain('Your gold');
    expect(page({ collateralExplanation: '40 g of gold is worth ₹3,00,000.' })).toContain(
      '40 g of gold is worth ₹3,00,000.',
    );
  });

  it('says None where there are no charges', () => {
    expect(page({ contingentCharges: [] })).toContain('<td colspan="2">None</td>');
  });

  it('escapes what a lender wrote', () => {
    const html = page({ lenderLegalName: '<img src=x onerror=alert(1)>' });
    expect(html).not.toContain('<img');
  });
});
