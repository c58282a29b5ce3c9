package dev.pawl.metrics;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.pawl.JobQueue;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A program that uses Micrometer or OpenTelemetry needs only that library; a program with the core alone needs neither. */
class ClassPathTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter().importUrls(List.of(location(JobQueue.class), location(JobMetrics.class)));
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL);

    /** {@return the location of a class's module} */
    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void packagesDependOnlyOnTheirOwnLibrary() {
        String[] common = {
            "dev.pawl",
            "dev.pawl.api",
            "dev.pawl.admin",
            "dev.pawl.limit",
            "dev.pawl.metrics",
            "java..",
            "org.jspecify.."
        };
        classes()
                .that()
                .resideInAPackage("dev.pawl.metrics")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(common, "org.slf4j.."))
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage("dev.pawl.metrics.micrometer")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(common, "dev.pawl.metrics.micrometer", "io.micrometer.."))
                .check(CLASSES);
        classes()
                .that()
                .resideInAPackage("dev.pawl.metrics.otel")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(with(common, "dev.pawl.metrics.otel", "io.opentelemetry..", "org.slf4j.."))
                .check(CLASSES);
    }

    @Test
    void theCoreHasNoMetricsDependencies() throws IOException {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.pawl.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.pawl.metrics..", "io.micrometer..", "io.opentelemetry..")
                .check(CLASSES);
        assertThat(pom("core")).doesNotContain("io.micrometer", "io.opentelemetry", "pawl-metrics");
    }

    @Test
    void bothLibrariesAreOptional() throws IOException {
        int found = 0;
        for (Matcher each = DEPENDENCY.matcher(pom("metrics")); each.find(); ) {
            if (each.group(1).contains("<groupId>io.")) {
                found++;
                assertThat(each.group(1)).containsPattern("<optional>true</optional>|<scope>test</scope>");
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(3);
    }

    private static String pom(String module) throws IOException {
        Path folder = FilesTest.docs().resolveSibling(module);
        return Files.readString(folder.resolve("pom.xml"));
    }

    private static String[] with(String[] common, String... more) {
        String[] all = Arrays.copyOf(common, common.length + more.length);
        System.arraycopy(more, 0, all, common.length, more.length);
        return all;
    }
}
