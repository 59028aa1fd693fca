import { describe, expect, it } from 'vitest';
import { documentFindings, wordFindings } from './guide.js';

const LONG = `${'word '.repeat(26).trim()}.`;

describe('the check of language', () => {
  it('names the line and the better word', () => {
    expect(wordFindings('// Fine.\n// Nobody waits.\nconst text = `sent once more`;')).toEqual([
      { line: 2, problem: '"Nobody": name the partner, the lender, the applicant, the caller' },
      { line: 3, problem: '"once more": again' },
    ]);
  });

  it('finds long sentences and cells of a document', () => {
    const document = `# Title\n\nShort one. ${LONG}\n\n- ${LONG}\n\n| ${LONG} | short |\n`;
    expect(documentFindings(document).map(({ line }) => line)).toEqual([3, 5, 7]);
  });

  it('ignores codes in quotes and fixed texts', () => {
    expect(wordFindings("if (is) return 'NOBODY';\nMOVE: 'The time to pay ran out',")).toEqual([]);
    expect(wordFindings("'nobody', NOBODY")).toHaveLength(2);
  });

  it('ignores code, quotations and short sentences', () => {
    const document = `Two. Short ones:\nhere \`nobody\` and "somebody".\n\n\`\`\`\nnobody\n\`\`\`\n`;
    expect(documentFindings(document)).toEqual([]);
  });
});
