package dev.pawl.internal.feature;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pawl.admin.DisplayState;
import dev.pawl.admin.JobChange;
import dev.pawl.internal.jdbc.Dialect;
import dev.pawl.internal.settle.KeptStates;
import dev.pawl.internal.store.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Transitions × features: each pair is decided, and docs/inside/transitions.md shows the decision. */
class TransitionsTest {
    private static final List<Feature> FEATURES = Features.installed();

    private static Path home() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    @Test
    void everyPairIsDecided() {
        for (Feature feature : FEATURES) {
            for (Transition transition : Transition.values()) {
                Decision decision = feature.on(transition);
                String pair = feature.name() + ", " + transition;
                assertThat(decision).as(pair).isNotNull();
                assertThat(decision.text()).as(pair).isNotBlank();
                assertThat(feature.on(transition)).as(pair).isEqualTo(decision);
                if (decision.by() == Decision.By.ROWS) {
                    assertThat(decision.rows()).as(pair).isNotInstanceOf(RowPolicy.Keep.class);
                }
                if (!(decision.rows() instanceof RowPolicy.Keep)) {
                    assertThat(feature.links()).as(pair).isNotEmpty();
                }
            }
        }
    }

    @Test
    void everyHookHasItsFeature() throws NoSuchMethodException {
        Set<Transition> changes = EnumSet.of(
                Transition.MOVE,
                Transition.PRIORITIZE,
                Transition.RESCHEDULE,
                Transition.RETRY,
                Transition.SIGNAL,
                Transition.START_NODE,
                Transition.RESUME,
                Transition.REVIVE,
                Transition.ERASE);
        for (Feature feature : FEATURES) {
            assertThat(overrides(feature, "enqueueHook", EnqueueContext.class))
                    .as(feature.name())
                    .isEqualTo(feature.on(Transition.ENQUEUE).by() == Decision.By.HOOK);
            if (overrides(feature, "completionHook", Dialect.class, KeptStates.class)) {
                assertThat(feature.on(Transition.COMPLETE).by())
                        .as(feature.name())
                        .isEqualTo(Decision.By.HOOK);
            }
            if (overrides(feature, "changes", Dialect.class)) {
                assertThat(changes).anyMatch(change -> feature.on(change).by() == Decision.By.HOOK);
            }
        }
    }

    private static boolean overrides(Feature feature, String method, Class<?>... parameters)
            throws NoSuchMethodException {
        return feature.getClass().getMethod(method, parameters).getDeclaringClass() != Feature.class;
    }

    @Test
    void everyStateIsReachedAndLeft() {
        Set<DisplayState> reached = EnumSet.noneOf(DisplayState.class);
        Set<DisplayState> left = EnumSet.noneOf(DisplayState.class);
        for (Transition transition : Transition.values()) {
            reached.addAll(transition.to());
            left.addAll(transition.from());
        }
        assertThat(reached).containsExactlyInAnyOrder(DisplayState.values());
        assertThat(left).containsExactlyInAnyOrder(DisplayState.values());
    }

    @Test
    void jobsWithoutRowsAreAvailableRunningOrCompleted() {
        Set<DisplayState> withoutRows =
                EnumSet.of(DisplayState.AVAILABLE, DisplayState.RUNNING, DisplayState.COMPLETED);
        for (Transition transition : Transition.values()) {
            boolean mayHaveNoRow =
                    transition.from().isEmpty() || transition.from().stream().anyMatch(withoutRows::contains);
            if (!mayHaveNoRow) {
                assertThat(transition.withoutRow()).as(transition.name()).isEqualTo(Transition.WithoutRow.NEVER);
            }
        }
    }

    @Test
    void everyBulkChangeIsATransition() {
        Set<String> names = Arrays.stream(Transition.values()).map(Enum::name).collect(toSet());
        for (Class<?> change : JobChange.class.getPermittedSubclasses()) {
            assertThat(names).contains(change.getSimpleName().toUpperCase(Locale.ROOT));
        }
    }

    /** The transition of a verdict. Does not compile until a new verdict has its transition. */
    private static Transition of(Verdict verdict) {
        return switch (verdict.kind()) {
            case COMPLETED -> Transition.COMPLETE;
            case RETRY -> Transition.FAIL;
            case SNOOZE -> Transition.SNOOZE;
            case RELEASE -> Transition.RELEASE;
            case PAUSE -> Transition.PAUSE;
            case CANCELLED -> Transition.STOP;
            case DISCARDED -> Transition.DISCARD;
        };
    }

    @Test
    void everyVerdictIsATransitionOfARunningJob() {
        for (Verdict verdict : List.of(
                new Verdict.Completed(),
                new Verdict.Release(),
                new Verdict.Pause(),
                new Verdict.Cancelled(""),
                new Verdict.Discarded("", ""))) {
            assertThat(of(verdict).from()).containsExactly(DisplayState.RUNNING);
        }
    }

    @Test
    void architectureNamesTheSameStates() throws IOException {
        String states = Files.readString(home().resolve("ARCHITECTURE.md"));
        states = states.substring(states.indexOf("## States"), states.indexOf("## Invariants"));
        for (DisplayState state : DisplayState.values()) {
            assertThat(states).containsPattern("(?m)^\\|[a-z, ]*\\b" + state.word() + "\\b");
        }
    }

    @Test
    void thePageShowsEveryDecision() throws IOException {
        Path page = home().resolve("docs/inside/transitions.md");
        String expected = page();
        if (!Files.exists(page) || !Files.readString(page).equals(expected)) {
            Path written =
                    Files.createDirectories(home().resolve("core/target")).resolve("transitions.md");
            Files.writeString(written, expected);
            assertThat(Files.exists(page) ? Files.readString(page) : "")
                    .as("copy core/target/transitions.md to docs/inside/")
                    .isEqualTo(expected);
        }
    }

    private static List<Feature> own() {
        return FEATURES.stream()
                .filter(feature -> feature.getClass().getName().startsWith("dev.pawl.internal."))
                .toList();
    }

    private static String page() {
        return """
                # Transitions

                What can happen to a job, and what each feature does then. `Transition` is the list of verbs and `Feature.on` the decision of a
                feature. `TransitionsTest` writes this page from them and compares it: do not edit it.

                ## Verbs

                A finished job that is not kept is gone at once. No verb makes a scheduled job available when its time comes,
                because nothing is written.

                | transition | what happens | from | to | a job without a row, as in a lane |
                |---|---|---|---|---|
                """
                + Arrays.stream(Transition.values()).map(TransitionsTest::row).collect(joining())
                + """

                ## Who acts

                **rows**: the verb deletes the rows that the feature has linked to the job. **hook**: the verb calls the feature without knowing it.
                **kernel**: code outside the feature still does it. –: the feature is not affected.

                """
                + "| | " + own().stream().map(Feature::name).collect(joining(" | ")) + " |\n"
                + "|---|" + "---|".repeat(own().size()) + "\n"
                + Arrays.stream(Transition.values())
                        .map(transition -> "| " + word(transition) + " | "
                                + own().stream()
                                        .map(feature ->
                                                feature.on(transition).by().sign())
                                        .collect(joining(" | "))
                                + " |\n")
                        .collect(joining())
                + own().stream().map(TransitionsTest::section).collect(joining());
    }

    private static String row(Transition transition) {
        return "| %s | %s | %s | %s | %s |%n"
                .formatted(
                        word(transition),
                        transition.text(),
                        words(transition.from(), "–"),
                        words(transition.to(), "gone"),
                        transition.withoutRow().text())
                .replace("\r", "");
    }

    private static String section(Feature feature) {
        Map<Decision, List<Transition>> decisions = new LinkedHashMap<>();
        for (Transition transition : Transition.values()) {
            decisions.merge(
                    feature.on(transition),
                    List.of(transition),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
        return "\n## " + feature.name().substring(0, 1).toUpperCase(Locale.ROOT)
                + feature.name().substring(1) + "\n\n"
                + "| transitions | by | what, or why not |\n|---|---|---|\n"
                + decisions.entrySet().stream()
                        .map(entry -> "| "
                                + entry.getValue().stream()
                                        .map(TransitionsTest::word)
                                        .collect(joining(", ")) + " | "
                                + entry.getKey().by().sign() + " | "
                                + entry.getKey().text() + " |\n")
                        .collect(joining());
    }

    private static String word(Transition transition) {
        return transition.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String words(Set<DisplayState> states, String none) {
        return states.isEmpty()
                ? none
                : states.stream().sorted().map(DisplayState::word).collect(joining(", "));
    }
}
