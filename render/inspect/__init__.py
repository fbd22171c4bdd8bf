"""Reports on plans: JSON for programs, DOT and Mermaid for pictures, text for diffs, explanations of one name."""

from renderwright.render.inspect.explain import explain
from renderwright.render.inspect.plan_graph import plan_to_dot, plan_to_mermaid
from renderwright.render.inspect.plan_json import SCHEMA, plan_to_json
from renderwright.render.inspect.plan_text import plan_to_text

__all__ = ["SCHEMA", "explain", "plan_to_dot", "plan_to_json", "plan_to_mermaid", "plan_to_text"]
