package dev.pawl.specification;

import dev.pawl.api.EnqueueOptions;
import dev.pawl.api.OnFailure;
import java.util.List;

/** A workflow. Its nodes are in the order in which they are added, and each depends only on earlier nodes. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are immutable copies
public enum Shape {
    CHAIN(node(1), after(OnFailure.BLOCK, 0), after(OnFailure.BLOCK, 1)),
    CHAIN_OF_ONE_TRY(one(node(1)), one(after(OnFailure.CANCEL, 0)), one(after(OnFailure.RUN_ANYWAY, 1))),
    JOIN(node(1), node(2), after(OnFailure.BLOCK, 0, 1)),
    JOIN_ANYWAY(one(node(1)), node(1), after(OnFailure.RUN_ANYWAY, 0, 1), after(OnFailure.CANCEL, 0)),
    WITH_KEYS(
            node(1).key(),
            after(OnFailure.CANCEL, 0).key(),
            after(OnFailure.RUN_ANYWAY, 0, 1).key());

    /** The parts of a node. */
    record Node(int jobs, OnFailure onFailure, List<Integer> after, EnqueueOptions options) {
        Node key() {
            return new Node(jobs, onFailure, after, options.key("x"));
        }
    }

    final List<Node> nodes;

    Shape(Node... nodes) {
        this.nodes = List.of(nodes);
    }

    private static Node node(int jobs) {
        return new Node(jobs, OnFailure.BLOCK, List.of(), EnqueueOptions.DEFAULTS);
    }

    private static Node one(Node node) {
        return new Node(node.jobs, node.onFailure, node.after, node.options.maxAttempts(1));
    }

    private static Node after(OnFailure onFailure, Integer... others) {
        return new Node(1, onFailure, List.of(others), EnqueueOptions.DEFAULTS);
    }
}
