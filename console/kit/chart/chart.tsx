import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import "./chart.css";

/** A line of a chart: one value for each position on the axis, null for a gap. */
export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly title: string;
  /** The label of the control that opens the table of values. */
  readonly tableLabel: string;
  readonly axisLabel: string;
  /** Instants in epoch milliseconds, or other numbers. */
  readonly axis: readonly number[];
  readonly isTime?: boolean;
  readonly showAxis: (value: number) => string;
  readonly series: readonly ChartSeries[];
}

/** A line chart, with the same numbers in a table that opens below it. */
export function Chart(props: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let remove: (() => void) | undefined;
    let isGone = false;
    void import("./plot.js").then(({ plot }) => {
      if (!isGone && place.current !== null) remove = plot(place.current, props);
    });
    return () => {
      isGone = true;
      remove?.();
    };
  }, [props.axis, props.series, props.title]);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <div ref={place} class="chart-place" aria-hidden="true" />
      <details>
        <summary>{props.tableLabel}</summary>
        <ChartTable {...props} />
      </details>
    </figure>
  );
}

function ChartTable({ title, axisLabel, axis, showAxis, series }: ChartProps): JSX.Element {
  return (
    <table class="chart-table">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{axisLabel}</th>
          {series.map(({ label }) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {axis.map((value, place) => (
          <tr key={value}>
            <th scope="row">{showAxis(value)}</th>
            {series.map(({ label, values }) => (
              <td key={label}>{values[place] ?? ""}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
