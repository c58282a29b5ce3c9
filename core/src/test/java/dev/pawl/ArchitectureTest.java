package dev.pawl;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.implement;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.pawl.internal.feature.Feature;
import dev.pawl.internal.feature.Features;
import dev.pawl.internal.jdbc.Database;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter(java.util.List.of(new ImportOption.DoNotIncludeTests())).importPackages("dev.pawl");

    @Test
    void theEngineDependsOnlyOnItsPorts() {
        classes()
                .that()
                .resideInAPackage("..internal.engine..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pawl.api",
                        "dev.pawl.limit",
                        "dev.pawl.spi",
                        "..internal.engine..",
                        "..internal.log..",
                        "..internal.store..",
                        "..internal.wake..",
                        "java..",
                        "jdk.jfr..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void portsDependOnlyOnWords() {
        classes()
                .that()
                .resideInAnyPackage("..internal.store..", "..internal.wake..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pawl.api",
                        "dev.pawl.limit",
                        "dev.pawl.schedule",
                        "..internal.store..",
                        "..internal.wake..",
                        "java..",
                        "org.slf4j..",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void databasesDoNotDependOnEachOther() {
        slices().matching("..internal.database.(postgres|mysql|sqlite)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass type) {
                        return SliceIdentifier.of(type.getPackageName());
                    }

                    @Override
                    public String getDescription() {
                        return "packages";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void theApiDependsOnNothingAboveIt() {
        classes()
                .that()
                .resideInAPackage("dev.pawl.api")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.pawl.api", "..internal.words..", "java..", "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void thePackageForExtensionsDependsOnlyOnWords() {
        classes()
                .that()
                .resideInAPackage("dev.pawl.spi")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.pawl.spi", "dev.pawl.api", "dev.pawl.admin", "java..", "org.jspecify..")
                .check(CLASSES);
    }

    /** Programs reach extensions only through {@code JobQueue.unwrap} and {@code WorkerBuilder.extend}. */
    @Test
    void programsNeedNothingOfThePackageForExtensions() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.pawl.api", "dev.pawl.admin", "dev.pawl.limit", "dev.pawl.schedule", "dev.pawl.codec")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pawl.spi")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.pawl")
                .and()
                .doNotHaveSimpleName("JobQueue")
                .and()
                .doNotHaveSimpleName("WorkerBuilder")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pawl.spi")
                .check(CLASSES);
    }

    /** Features are found through the service file. */
    @Test
    void nothingNamesAFeature() {
        noClasses()
                .should()
                .dependOnClassesThat(implement(Feature.class).as("are features"))
                .check(CLASSES);
    }

    /** The feature for limits has two packages: {@code limit} for its rows, and {@code quota} for its part inside a worker. */
    @Test
    void featuresDoNotDependOnEachOther() {
        List<String> features = CLASSES.stream()
                .filter(each -> each.isAssignableTo(Feature.class) && !each.isInterface())
                .map(JavaClass::getPackageName)
                .map(name -> name.substring("dev.pawl.internal.".length()))
                .distinct()
                .toList();
        assertThat(features).contains("batch", "key", "limit", "unique");
        slices().matching("dev.pawl.internal.(" + String.join("|", features) + "|quota)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void theServiceFileNamesEveryFeature() {
        Set<String> features = CLASSES.stream()
                .filter(implement(Feature.class))
                .map(JavaClass::getName)
                .collect(Collectors.toSet());
        List<Feature> installed = Features.installed();
        assertThat(installed)
                .extracting(feature -> feature.getClass().getName())
                .containsExactlyInAnyOrderElementsOf(features);
        assertThat(installed).extracting(Feature::name).doesNotHaveDuplicates();
    }

    /** The kernel finds lanes, which implement {@code JobPlace}, through a service file. */
    @Test
    void theKernelDoesNotDependOnLanes() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..internal.lane..", "..internal.assembly..", "..internal.database..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("..internal.lane..")
                .check(CLASSES);
    }

    @Test
    void nothingDependsOnQueuesOverManyDatabases() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pawl.shard")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.pawl.shard")
                .check(CLASSES);
    }

    @Test
    void onlyTheAssemblyDependsOnAllDatabases() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..internal.assembly..", "..internal.database..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..database.postgres..", "..database.mysql..", "..database.sqlite..")
                .check(CLASSES);
    }

    /** A worker uses the database of its queue, so it gets a read-only database only from a read-only queue. */
    @Test
    void onlyAQueueThatOnlyReadsHasSuchADatabase() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(JobQueueBuilder.class.getName())
                .should()
                .callMethod(Database.class, "readOnly")
                .check(CLASSES);
    }

    @Test
    void onlyPostgresPackagesDependOnItsDriver() {
        noClasses()
                .that()
                .resideOutsideOfPackages("..database.postgres..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.postgresql..")
                .check(CLASSES);
    }

    @Test
    void theApiExposesNoInternalTypes() {
        classes()
                .that()
                .resideInAPackage("dev.pawl")
                .and()
                .areInterfaces()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.pawl",
                        "dev.pawl.api",
                        "dev.pawl.admin",
                        "dev.pawl.limit",
                        "dev.pawl.schedule",
                        "java..",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void neitherSleepsNorJvmClockAreUsed() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(CLASSES);
    }
}
