/** The style guide's words that a machine can check: each always has a better one. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:whoever|nobody|somebody)\b/gi, 'name the partner, the lender, the applicant, the caller'],
  [/\bonce more\b/gi, 'again'],
  [/\bat present\b/gi, 'now'],
  [/\bby (?:itself|themselves)\b/gi, 'automatically'],
  [/\b(?:run|runs|ran|running) out\b/gi, 'expire'],
  [/\blets? go\b/gi, 'release, deselect'],
  [/\b(?:of ours|its like|their like)\b/gi, 'our, internal; or name it'],
  [/\b(?:say|says|said|saying) no\b/gi, 'decline, reject'],
  [/\b(?:mend|mends|mended)\b/gi, 'fix'],
  [/\b(?:shall|anew)\b/gi, 'will; again'],
  [/\bstands\b(?! by\b)/gi, 'is, appears, is stored'],
  [/\bso many\b/gi, 'at most N, this many'],
  [/\btold\b/gi, 'notified, logged, returned, displayed'],
  [/\bin all\b(?= *(?:[.,;:)'"`|]|$))/gim, 'total'],
  [/\b(?:is|are) not right\b/gi, 'is not valid'],
];

/** Codes in quotes, stored audit texts and registered messages: these never change for style's sake. */
const FIXED: readonly RegExp[] = [
  /'[A-Z][A-Z_ ]+'/g,
  /The offers ran out, and the lenders are to be asked again/g,
  /The chosen offer was let go for another one/g,
  /The time to pay ran out/g,
  /The operator decided that the gateway is to be asked for the refund once more/g,
  /by a return that stands for a visit, in the sandbox alone/g,
  /see your loan offers and how your application stands; we never ask for money by phone/g,
  /see what you can do, and tell nobody your Aadhaar OTP/g,
  /'journey_intents\.told'/g,
  /'told (?:of a revised offer|what happened with the loan|what it paid out on a day)'|`told \$\{kind\}`| had told was erased/g,
  /that you paid for your loan application has been sent back to you, and your bank shows it within 7 working days/g,
];

/** The guide's limit is 20; a list or a name may need a few more. */
const SENTENCE_WORDS = 25;
const CELL_WORDS = 20;

export interface Finding {
  /** Counted from 1. */
  readonly line: number;
  readonly problem: string;
}

/** Finds words of the guide in a text, code included; fixed texts are skipped. */
export function wordFindings(source: string): Finding[] {
  const text = blank(source, ...FIXED);
  return WORDS.flatMap(([word, better]) =>
    [...text.matchAll(word)].map((match) => ({
      line: lineOf(text, match.index),
      problem: `"${match[0]}": ${better}`,
    })),
  );
}

/**
 * Finds words, long sentences and long table cells in a Markdown document. Code, quotations and fixed texts are
 * skipped.
 */
export function documentFindings(markdown: string): Finding[] {
  const prose = blank(
    markdown,
    ...FIXED,
    /^( *)(```|~~~)[^]*?^\1\2/gm,
    /<!--[^]*?-->/g,
    /`[^`\n]*`/g,
    /"[^"\n]*"|“[^”]*”/g,
  );
  const findings = wordFindings(prose);
  const lines = prose.split('\n');
  let block: string[] = [];
  const endBlock = (line: number) => {
    const first = line - block.length + 1;
    for (const sentence of block.join(' ').split(/(?<=[.!?:;])\s+/)) {
      const { length } = wordsOf(sentence);
      if (length > SENTENCE_WORDS) {
        findings.push({
          line: first,
          problem: `a sentence of ${length} words: "${sentence.trim().slice(0, 60)}…"`,
        });
      }
    }
    block = [];
  };
  lines.forEach((line, index) => {
    if (line.startsWith('|')) {
      for (const cell of line.split('|')) {
        const { length } = wordsOf(cell);
        if (length > CELL_WORDS)
          findings.push({ line: index + 1, problem: `a cell of ${length} words` });
      }
    }
    const isProse = /^\s*[^\s|#<]/.test(line);
    if (block.length > 0 && (!isProse || /^\s*(?:[-*]|\d+\.)\s/.test(line))) endBlock(index);
    if (isProse) block.push(line);
  });
  endBlock(lines.length);
  return findings;
}

function wordsOf(text: string): string[] {
  const withoutTargets = text.replaceAll(/\]\([^)]*\)/g, ']');
  return withoutTargets.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word));
}

/** Keeps lengths and lines, so that a finding has the right line. */
function blank(text: string, ...parts: readonly RegExp[]): string {
  return parts.reduce(
    (rest, part) => rest.replaceAll(part, (found) => found.replaceAll(/[^\n]/g, ' ')),
    text,
  );
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
