import type {
  KeyFactsCell,
  KeyFactsRowGroup,
  KeyFactsTable,
} from '../../forms/key-facts-document.js';
import type { PageFlow } from './page-flow.js';
import {
  CELL_PADDING,
  COLUMN_SHARES,
  LEFT,
  STYLES,
  type Tag,
  tagIn,
  type TextStyle,
  WIDTH,
} from './placed-document.js';

interface LaidCell {
  readonly lines: readonly string[];
  readonly style: TextStyle;
  readonly noteLines: readonly string[];
  readonly isAmount: boolean;
  readonly tag: { readonly type: 'TH' | 'TD'; readonly scope?: 'Row' | 'Column' };
}

interface LaidRow {
  readonly cells: readonly LaidCell[];
  readonly isShaded: boolean;
  readonly height: number;
}

// A table begins only where its head and these rows fit.
const MIN_ROWS = 2;

export class TableLayout {
  private readonly widths: readonly number[];
  private readonly head: LaidRow;

  constructor(
    private readonly flow: PageFlow,
    private readonly table: KeyFactsTable,
    private readonly continued: string,
  ) {
    this.widths = COLUMN_SHARES[table.kind].map((share) => share * WIDTH);
    this.head = this.row(
      table.columns.map(({ heading, isAmount }, column) =>
        this.cell({ text: heading, note: '' }, column, {
          isHeader: true,
          scope: 'Column',
          isAmount,
        }),
      ),
      true,
    );
  }

  layOut(parent: Tag): void {
    const tag = tagIn(parent, 'Table');
    const { flow, table } = this;
    const captionHeight = flow.heightOf(this.captionLines(table.caption), STYLES.caption);
    flow.makeRoom(captionHeight + this.head.height * (1 + MIN_ROWS));
    this.caption(table.caption, tagIn(tag, 'Caption'));
    this.put(this.head, tagIn(tagIn(tag, 'THead'), 'TR'));
    const total = table.total && this.totalRow(table.total);
    for (const [groupIndex, group] of table.groups.entries()) {
      const body = tagIn(tag, 'TBody');
      const rows = this.rowsOf(group);
      for (const [rowIndex, row] of rows.entries()) {
        const isLast = groupIndex === table.groups.length - 1 && rowIndex === rows.length - 1;
        // A total must not be the only row on a page.
        this.putRow(row, body, isLast && total ? total.height : 0);
      }
    }
    if (total) this.putRow(total, tagIn(tag, 'TFoot'));
  }

  private rowsOf({ heading, rows, none }: KeyFactsRowGroup): LaidRow[] {
    return [
      ...(heading === null ? [] : [this.spanning(heading, true)]),
      ...rows.map((row) => this.bodyRow(row)),
      ...(rows.length === 0 ? [this.spanning(none, false)] : []),
    ];
  }

  /** @param below height that must fit beneath */
  private putRow(row: LaidRow, group: Tag, below = 0): void {
    if (this.flow.makeRoom(row.height + below)) {
      this.caption(this.continued, null);
      this.put(this.head, null);
    }
    this.put(row, tagIn(group, 'TR'));
  }

  private captionLines(text: string): string[] {
    return this.flow.lines(text, STYLES.caption, WIDTH);
  }

  private caption(text: string, tag: Tag | null): void {
    const lines = this.captionLines(text);
    this.flow.block(lines, STYLES.caption, tag, { x: LEFT, top: this.flow.y, width: WIDTH });
    this.flow.space(this.flow.heightOf(lines, STYLES.caption) + 2);
  }

  /** @param tag null for a repeated head */
  private put(row: LaidRow, tag: Tag | null): void {
    const { flow } = this;
    const top = flow.y;
    if (row.isShaded) {
      flow.put({ kind: 'fill', x: LEFT, y: top, width: WIDTH, height: row.height });
    }
    let x = LEFT;
    for (const [column, cell] of row.cells.entries()) {
      const cellTag = tag && tagIn(tag, cell.tag.type, cell.tag.scope);
      const width = this.spanOf(row, column);
      this.putCell(cell, cellTag, x, width);
      x += width;
    }
    flow.space(row.height);
    flow.put({ kind: 'rule', x: LEFT, y: flow.y, width: WIDTH });
  }

  private putCell(cell: LaidCell, tag: Tag | null, x: number, width: number): void {
    const { flow } = this;
    const position = {
      x: x + CELL_PADDING,
      top: flow.y + CELL_PADDING / 2,
      width: width - 2 * CELL_PADDING,
      align: cell.isAmount ? ('end' as const) : ('start' as const),
    };
    flow.block(cell.lines, cell.style, tag, position);
    if (cell.noteLines.length === 0) return;
    const top = position.top + flow.heightOf(cell.lines, cell.style);
    flow.block(cell.noteLines, STYLES.note, tag, { ...position, top });
  }

  private bodyRow(cells: readonly KeyFactsCell[]): LaidRow {
    return this.row(
      cells.map((cell, column) =>
        this.cell(cell, column, {
          isHeader: column === this.table.headerColumn,
          scope: 'Row',
          isAmount: this.table.columns[column].isAmount,
        }),
      ),
      false,
    );
  }

  /** The covered cells exist, empty, so that the table is regular. */
  private spanning(text: string, isHeader: boolean): LaidRow {
    const first = this.cell(
      { text, note: '' },
      0,
      { isHeader, scope: 'Row', isAmount: false },
      WIDTH,
    );
    const rest = this.widths.slice(1).map(() => EMPTY_CELL);
    return this.row([first, ...rest], isHeader);
  }

  private totalRow({ label, value }: { label: string; value: string }): LaidRow {
    const last = this.widths.length - 1;
    const scope = 'Row' as const;
    return this.row(
      this.widths.map((_, column) => {
        if (column === 0) {
          return this.cell({ text: label, note: '' }, 0, {
            isHeader: true,
            scope,
            isAmount: false,
          });
        }
        if (column < last) return EMPTY_CELL;
        const cell = this.cell({ text: value, note: '' }, last, { scope, isAmount: true });
        return { ...cell, style: STYLES.strong };
      }),
      true,
    );
  }

  private cell(
    { text, note }: KeyFactsCell,
    column: number,
    is: { isHeader?: boolean; scope: 'Row' | 'Column'; isAmount: boolean },
    width = this.widths[column],
  ): LaidCell {
    const isBold = is.isHeader === true && (is.scope === 'Column' || width === WIDTH);
    const style = isBold ? STYLES.strong : STYLES.text;
    const room = width - 2 * CELL_PADDING;
    return {
      lines: text === '' ? [] : this.flow.lines(text, style, room),
      style,
      noteLines: note === '' ? [] : this.flow.lines(note, STYLES.note, room),
      isAmount: is.isAmount,
      tag: is.isHeader ? { type: 'TH', scope: is.scope } : { type: 'TD' },
    };
  }

  private row(cells: readonly LaidCell[], isShaded: boolean): LaidRow {
    const heights = cells.map(
      ({ lines, style, noteLines }) =>
        this.flow.heightOf(lines, style) + this.flow.heightOf(noteLines, STYLES.note),
    );
    return { cells, isShaded, height: Math.max(...heights) + CELL_PADDING };
  }

  private spanOf({ cells }: LaidRow, column: number): number {
    const isSpanning = column === 0 && cells.slice(1).every((cell) => cell === EMPTY_CELL);
    return isSpanning ? WIDTH : this.widths[column];
  }
}

const EMPTY_CELL: LaidCell = {
  lines: [],
  style: STYLES.text,
  noteLines: [],
  isAmount: false,
  tag: { type: 'TD' },
};
