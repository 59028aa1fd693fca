import { describe, expect, it } from 'vitest';
import { pageRecord } from './page-record.ts';
import { StableText } from './stable-text.ts';

const ID = `jrn_${'0a'.repeat(16)}`;
const OTHER_ID = `jrn_${'0b'.repeat(16)}`;
const TOKEN = 'x9_AbCDefGhIjKLMnOpQrS';

describe('stable text', () => {
  it('numbers ids and tokens by first appearance, the same value always alike', () => {
    const stable = new StableText();
    const text = `${ID} ${OTHER_ID} http://127.0.0.1:3000/pay/${TOKEN}`;
    expect(stable.text(text)).toBe('<jrn 1> <jrn 2> http://<host>/pay/<token 1>');
    expect(stable.value({ journeyId: OTHER_ID, list: [TOKEN] })).toEqual({
      journeyId: '<jrn 2>',
      list: ['<token 1>'],
    });
    expect(stable.knows(ID)).toBe(true);
  });

  it('rounds times down to ten minutes and keeps dates', () => {
    const stable = new StableText();
    expect(stable.text('2027-01-31T10:29:59.123Z, 31 January 2027, 4:07 pm')).toBe(
      '2027-01-31T10:20Z, 31 January 2027, 4:00 pm',
    );
  });
});

describe('a page', () => {
  it('is recorded by its title, forms and text', () => {
    const text = `<html><head><title>Pay – Rinpath</title></head><body><main><h1>Pay <b>₹176</b></h1>
      <p>See <a href="/ranking">why</a>.</p><form method="post" action="/pay">
      <input type="hidden" name="csrf" value="x"><button name="do" value="pay">Pay</button></form></main></body></html>`;
    const page = {
      path: '/pay',
      status: 200,
      location: '',
      headers: new Headers(),
      text,
      heading: '',
    };
    expect(pageRecord(page)).toEqual({
      title: 'Pay – Rinpath',
      forms: ['post /pay: csrf=x (hidden), button "Pay" do=pay'],
      text: ['Pay ₹176', 'See [why](/ranking).', 'Pay'],
    });
  });
});
