// Apprentice for C#: the functions of apprentice.h. Written by hand, and the tests look whether every
// function is here; no C# compiler has read it yet where it was written.

using System;
using System.Runtime.InteropServices;

namespace Apprentice
{
    public enum Status
    {
        Ok = 0,
        NullPointer = 1,
        BadText = 2,
        BadHandle = 3,
        Busy = 4,
        NotUnderstood = 5,
        NoSuch = 6,
        BadFile = 7,
        BadSettings = 8,
        BadValue = 9,
        CallbackFailed = 10,
        Bug = 11,
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Place
    {
        public double X, Y, Z;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Spent
    {
        public ulong Units, Looked, Planned, Thinking, Waiting;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Order
    {
        public int Kind, East, South, Gait, Fights, Blocks, Doing;
        public uint Plans;
        public int HasDestination;
        public Place Destination, At;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Way
    {
        public ulong From, To;
        public double Length;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Lock
    {
        public ulong Place;
        public int Bars, UsesUp;
        public IntPtr OpenedBy;
        public UIntPtr OpenedByCount;
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate int Files(IntPtr context, IntPtr name, UIntPtr nameLength, IntPtr sink);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate int Successors(IntPtr context, ulong state, IntPtr sink);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate int Question(IntPtr context, ulong state, ulong number, out ulong answer);

    [StructLayout(LayoutKind.Sequential)]
    public struct Game
    {
        public IntPtr Context;
        public IntPtr Places;
        public UIntPtr PlaceCount;
        public IntPtr Ways;
        public UIntPtr WayCount;
        public IntPtr Locks;
        public UIntPtr LockCount;
        public IntPtr Goals;
        public UIntPtr GoalCount;
        public IntPtr Shown;
        public UIntPtr ShownCount;
        public double TopSpeed;
        public ulong Start;
        public Question Place;
        public Successors Successors;
        public Question IsGoal;
        public Question IsDone;
    }

    public static class Native
    {
        const string Library = "apprentice_c";
        const CallingConvention C = CallingConvention.Cdecl;

        /// In place of the number of a character: everybody.
        public const uint Everybody = uint.MaxValue;

        [DllImport(Library, CallingConvention = C)] public static extern IntPtr apprentice_version();
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr apprentice_last_error(byte[] buffer, UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_free(ulong handle);
        [DllImport(Library, CallingConvention = C)] public static extern UIntPtr apprentice_handles();
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_text_length(ulong text, out UIntPtr length);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_text_copy(ulong text, byte[] buffer, UIntPtr capacity);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_session_new(out ulong session);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_session_answer(ulong session, byte[] line, UIntPtr length, out ulong answer);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_level_load(byte[] path, UIntPtr length, out ulong level);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_level_read(byte[] name, UIntPtr nameLength, byte[] content, UIntPtr contentLength, Files files, IntPtr context, out ulong level);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_supply(IntPtr sink, byte[] content, UIntPtr length);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_level_show_log(ulong level, byte[] name, UIntPtr nameLength, byte[] log, UIntPtr logLength);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_level_show_line(ulong level, byte[] name, UIntPtr nameLength, double[] points, UIntPtr count);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_plan(ulong level, byte[] ask, UIntPtr length, out ulong document);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_explain(ulong level, byte[] ask, UIntPtr length, out ulong words);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_verify(ulong level, byte[] document, UIntPtr length, out int valid, out ulong why);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_tasks_read(byte[] name, UIntPtr nameLength, byte[] content, UIntPtr contentLength, out ulong tasks);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_tasks_plan(ulong tasks, byte[] ask, UIntPtr length, out ulong document);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_new(ulong level, out ulong cast);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_add(ulong cast, byte[] name, UIntPtr nameLength, byte[] recruit, UIntPtr recruitLength, out uint number);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_pursue(ulong cast, uint number, byte[] goal, UIntPtr length);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_dismiss(ulong cast, uint number);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_pass(ulong cast, double seconds);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_place(ulong cast, uint by, byte[] id, UIntPtr length, Place place);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_health(ulong cast, uint by, byte[] id, UIntPtr length, double health);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_holding(ulong cast, uint by, byte[] id, UIntPtr length, byte[] items, UIntPtr itemsLength);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_door(ulong cast, uint by, byte[] id, UIntPtr length, int open);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_item(ulong cast, uint by, byte[] id, UIntPtr length, int lies);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_observe_lever(ulong cast, uint by, byte[] id, UIntPtr length, int pulled);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_think(ulong cast, ulong units, out Spent spent);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_order(ulong cast, uint number, out Order order);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_orders(ulong cast, uint first, [Out] Order[] orders, UIntPtr count);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_why(ulong cast, uint number, out ulong why);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_cast_ahead(ulong cast, uint number, out ulong steps);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_push(IntPtr sink, ulong action, ulong state, double seconds);
        [DllImport(Library, CallingConvention = C)] public static extern Status apprentice_game_plan(ref Game game, byte[] settings, UIntPtr length, ulong units, out ulong document);
    }
}
