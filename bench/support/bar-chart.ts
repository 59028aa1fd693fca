/** A value and its label. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The text beside the bar. */
  readonly text: string;
}

interface BarChart {
  /** Describes the bars in words, for screen readers. */
  readonly title: string;
  readonly bars: readonly Bar[];
  /** A line at the target value. */
  readonly target?: { readonly value: number; readonly text: string };
}

const LETTER = 6.6;
const BARS = 360;
const TEXTS = 90;
const ROW = 24;
const HEAD = 22;

/** Horizontal bars from zero as an SVG, readable on light and dark pages. */
export function drawBars({ title, bars, target }: BarChart): string {
  const most = Math.max(...bars.map(({ value }) => value), target?.value ?? 0);
  const widthOf = (value: number) => Math.round((value / most) * BARS);
  const top = target ? HEAD : 4;
  // As wide as the longest label, by the mean width of a letter.
  const labels = 16 + Math.ceil(LETTER * Math.max(...bars.map(({ label }) => label.length)));
  const width = labels + BARS + TEXTS;
  const height = top + bars.length * ROW + 4;
  const rows = bars.map(({ label, value, text }, index) => {
    const y = top + index * ROW;
    return [
      `  <text class="label" x="${labels - 8}" y="${y + 16}">${escaped(label)}</text>`,
      `  <rect x="${labels}" y="${y + 4}" width="${Math.max(1, widthOf(value))}" height="${ROW - 8}" rx="2"/>`,
      `  <text x="${labels + widthOf(value) + 6}" y="${y + 16}">${escaped(text)}</text>`,
    ].join('\n');
  });
  const x = labels + widthOf(target?.value ?? 0);
  const line = target && [
    `  <line x1="${x}" x2="${x}" y1="${HEAD - 4}" y2="${height}"/>`,
    `  <text class="target" x="${x}" y="${HEAD - 8}">${escaped(target.text)}</text>`,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `  <title>${escaped(title)}</title>`,
    `  <style>`,
    `    text { font: 12px sans-serif; fill: #333; }`,
    `    .label { text-anchor: end; }`,
    `    .target { text-anchor: middle; font-size: 11px; }`,
    `    rect { fill: #4c78a8; }`,
    `    line { stroke: #e45756; stroke-dasharray: 4 3; }`,
    `    @media (prefers-color-scheme: dark) { text { fill: #ddd; } }`,
    `  </style>`,
    ...rows,
    ...(line ?? []),
    '</svg>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
