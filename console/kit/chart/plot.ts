import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { ChartProps } from "./chart.js";

/** Draws a chart that follows the width of its container. Returns a function that removes it. */
export function plot(place: HTMLElement, { axis, series, isTime = false, showAxis }: ChartProps): () => void {
  const colors = (name: string): string => getComputedStyle(place).getPropertyValue(name).trim();
  const lines = series.map(({ label }, number) => ({
    label,
    stroke: colors(`--chart-${(number % 4) + 1}`),
    width: 2,
    points: { show: axis.length < 3 },
  }));
  const text = colors("color") || "gray";
  const grid = { stroke: text, grid: { stroke: colors("--chart-grid"), width: 1 } };
  const chart = new UPlot(
    {
      width: place.clientWidth,
      height: 180,
      scales: { x: { time: false } },
      legend: { show: series.length > 1, live: false },
      cursor: { show: false },
      series: [{}, ...lines],
      axes: [
        { ...grid, space: isTime ? 90 : 60, values: (_chart, places) => places.map(showAxis) },
        { ...grid, size: 56 },
      ],
    },
    [[...axis], ...series.map(({ values }) => [...values])],
    place,
  );
  const observer = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: 180 }));
  observer.observe(place);
  return () => {
    observer.disconnect();
    chart.destroy();
  };
}
