package dev.pawl.model;

import static org.assertj.core.api.Assertions.assertThat;

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.ast.Module;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import kodkod.engine.satlab.SATFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Checks the formal models of lanes, of claims whose commits are lost, and of the fences of handlers' transactions. Their invariants hold.
 * A guard is a rule of the protocol: without it, an invariant has a counterexample. For each invariant of the lanes, the quick tier leaves
 * out one guard. With {@code PAWL_MODEL=all} in the environment, each guard is left out in turn, and there are more checks, which take
 * minutes.
 */
@Execution(ExecutionMode.CONCURRENT)
class LaneModelTest {
    private static final Path LANES = Path.of("src", "test", "alloy", "lanes.als");
    private static final Path CLAIMS = Path.of("src", "test", "alloy", "claims.als");
    private static final Path FENCES = Path.of("src", "test", "alloy", "fences.als");
    /** A solver in Java: native solvers are faster, but crash when two threads load them. */
    private static final SATFactory SOLVER = SATFactory.DEFAULT;

    /** For each invariant, a guard whose counterexample is found quickly. */
    private static final Set<String> QUICK_TWINS = Set.of(
            "TwinCancelKey", // OnePlace
            "TwinMoveAtomicLoses", // NothingLost
            "TwinTokenTest", // AcceptedOnce
            "TwinBitTest", // FinishedIsFinal
            "TwinChargeByMark", // OnlyMarkedDiscarded
            "TwinRowTokenGrows"); // TokensGrow

    private static final boolean ALL =
            Stream.of("PAWL_TESTS", "PAWL_MODEL").anyMatch(name -> "all".equals(System.getenv(name)));

    @TestFactory
    Stream<DynamicTest> theModel() {
        return commands(LANES);
    }

    @TestFactory
    Stream<DynamicTest> theModelOfClaimsThatAreLost() {
        return commands(CLAIMS);
    }

    @TestFactory
    Stream<DynamicTest> theModelOfFences() {
        return commands(FENCES);
    }

    private static Stream<DynamicTest> commands(Path model) {
        return parsed(model).getAllCommands().stream()
                .filter(command -> ALL || isQuick(model, command.label))
                .map(command -> DynamicTest.dynamicTest(name(command), () -> check(model, command.label)));
    }

    private static boolean isQuick(Path model, String label) {
        boolean isTwinOfLanes = model.equals(LANES) && label.startsWith("Twin");
        return isTwinOfLanes ? QUICK_TWINS.contains(label) : !label.endsWith("Larger");
    }

    /** If a guard were renamed only in the model, quick builds would silently skip its check. */
    @Test
    void theModelHasTheQuickTwins() {
        assertThat(parsed(LANES).getAllCommands())
                .extracting(command -> command.label)
                .containsAll(QUICK_TWINS);
    }

    private static Module parsed(Path model) {
        return CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, model.toString());
    }

    private static String name(Command command) {
        if (command.label.startsWith("Twin")) {
            return "without " + command.label.substring("Twin".length()) + " there is a counterexample";
        }
        return command.label + (command.expects == 0 ? " holds" : " has an instance");
    }

    /** Runs a command on its own copy of the model, because the commands run concurrently. */
    private static void check(Path file, String label) {
        Module model = parsed(file);
        Command command = model.getAllCommands().stream()
                .filter(each -> each.label.equals(label))
                .findFirst()
                .orElseThrow();
        A4Options options = new A4Options();
        options.solver = SOLVER;
        boolean found = TranslateAlloyToKodkod.execute_command(
                        A4Reporter.NOP, model.getAllReachableSigs(), command, options)
                .satisfiable();
        assertThat(found).as(command.toString()).isEqualTo(command.expects == 1);
    }
}
