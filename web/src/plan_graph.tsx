// The sub-queries of a question and how they depend on each other; each lights up as it is searched.

import type { VNode } from "preact";
import type { QueryGraph, QueryNode } from "@gen/context/v1/query_pb.js";
import { type SubQueryEvent, SubQueryStatus } from "@gen/gateway/v1/event_pb.js";
import { type Translation, useWords } from "./i18n";

const WIDTH = 216;
const HEIGHT = 74;
const GAP_X = 40;
const GAP_Y = 14;

interface Props {
  graph: QueryGraph;
  nodes: Map<string, SubQueryEvent>;
  running: boolean;
}

export function PlanGraph({ graph, nodes, running }: Props): VNode {
  const t = useWords();
  const places = placesOf(graph.nodes);
  const columns = Math.max(...[...places.values()].map(([column]) => column)) + 1;
  const rows = Math.max(...[...places.values()].map(([, row]) => row)) + 1;
  const width = columns * WIDTH + (columns - 1) * GAP_X;
  const height = rows * HEIGHT + (rows - 1) * GAP_Y;
  return (
    <figure class="plan" tabIndex={0} aria-label={t("plan")}>
      <div class="plan-area" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {graph.nodes.flatMap((node) => node.links.map((link) => <Line key={`${link}-${node.id}`} from={places.get(link)} to={places.get(node.id)} lit={statusOf(nodes, link) === SubQueryStatus.DONE} />))}
        </svg>
        <ol>{graph.nodes.map((node) => <Node key={node.id} node={node} event={nodes.get(node.id)} place={places.get(node.id) ?? [0, 0]} running={running} />)}</ol>
      </div>
    </figure>
  );
}

type Place = [column: number, row: number];

/** Each node stands one column after the last of those that it needs. */
function placesOf(nodes: QueryNode[]): Map<string, Place> {
  const depths = new Map<string, number>();
  for (let round = 0; round <= nodes.length; round++) {
    for (const node of nodes) depths.set(node.id, Math.max(0, ...node.links.map((link) => (depths.get(link) ?? 0) + 1)));
  }
  const filled = new Map<number, number>();
  return new Map(nodes.map((node) => {
    const column = Math.min(depths.get(node.id) ?? 0, nodes.length);
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return [node.id, [column, row]];
  }));
}

function Line({ from, to, lit }: { from: Place | undefined; to: Place | undefined; lit: boolean }): VNode | null {
  if (!from || !to) return null;
  const x1 = from[0] * (WIDTH + GAP_X) + WIDTH;
  const y1 = from[1] * (HEIGHT + GAP_Y) + HEIGHT / 2;
  const x2 = to[0] * (WIDTH + GAP_X);
  const y2 = to[1] * (HEIGHT + GAP_Y) + HEIGHT / 2;
  const bend = (x1 + x2) / 2;
  return <path class={lit ? "lit" : ""} d={`M${x1},${y1}C${bend},${y1} ${bend},${y2} ${x2},${y2}`} />;
}

function Node({ node, event, place, running }: { node: QueryNode; event: SubQueryEvent | undefined; place: Place; running: boolean }): VNode {
  const t = useWords();
  const style = { left: `${place[0] * (WIDTH + GAP_X)}px`, top: `${place[1] * (HEIGHT + GAP_Y)}px`, width: `${WIDTH}px`, height: `${HEIGHT}px` };
  return (
    <li class={`plan-node ${CLASSES[event?.status ?? 0] ?? ""}`} style={style}>
      <span class="plan-text">{event?.text || node.text}</span>
      <span class="plan-status">{event?.answer ?? node.answer ?? statusWords(event, running, t)}</span>
    </li>
  );
}

const CLASSES: Record<number, string> = {
  [SubQueryStatus.STARTED]: "started",
  [SubQueryStatus.DONE]: "done",
  [SubQueryStatus.DEGRADED]: "degraded",
};

function statusOf(nodes: Map<string, SubQueryEvent>, id: string): SubQueryStatus {
  return nodes.get(id)?.status ?? SubQueryStatus.UNSPECIFIED;
}

function statusWords(event: SubQueryEvent | undefined, running: boolean, t: Translation): string {
  if (event?.status === SubQueryStatus.STARTED) return t("node_started");
  if (event?.status === SubQueryStatus.DONE) return t("node_done", { n: event.evidence });
  if (event?.status === SubQueryStatus.DEGRADED) return t("node_degraded");
  return running ? t("node_waiting") : "";
}
