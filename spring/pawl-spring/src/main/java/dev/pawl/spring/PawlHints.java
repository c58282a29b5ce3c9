package dev.pawl.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Native image hints for the library itself, in every application. */
final class PawlHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("dev/pawl/migrations/**");
        hints.resources().registerPattern("dev/pawl/sql/*");
        // the default codec validates itself with this record; pools are queried for size and address
        hints.reflection()
                .registerMethod(BoundConnection.ACTIVE, ExecutableMode.INVOKE)
                .registerType(
                        TypeReference.of("dev.pawl.internal.codec.DefaultCodec$Sample"),
                        MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                        MemberCategory.INVOKE_DECLARED_METHODS)
                .registerTypeIfPresent(
                        loader, "com.zaxxer.hikari.HikariDataSource", MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
